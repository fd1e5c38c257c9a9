package io.guidepost.alto.client;

/** Bounds of what is taken from a server, each with its reason. */
final class AltoClientLimits {
    /** Bytes of one answer: the network map of a full table has some 30 MB. */
    static final int ANSWER_BYTES_MAX = 64 << 20;

    /** Resources that are kept with their tags: a client looks at a few maps. */
    static final int KEPT_MAX = 16;

    /** Characters that are told of a fault of a server. */
    static final int FAULT_CHARACTERS_MAX = 200;

    private AltoClientLimits() {}
}
