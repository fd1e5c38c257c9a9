package io.guidepost.alto.client;

/** Bounds of what the client takes from a server, each with its reason. */
final class AltoClientLimits {
    /** Bytes of one answer: the network map of a full table has some 30 MB. */
    static final int ANSWER_BYTES_MAX = 64 << 20;

    /** Resources that are cached with their tags: a client uses a few maps. */
    static final int KEPT_MAX = 16;

    /** Characters of a server's error message that the client repeats. */
    static final int FAULT_CHARACTERS_MAX = 200;

    private AltoClientLimits() {}
}
