package io.guidepost.web;

/** Bounds of JSON, each with its reason; a door may have narrower ones. */
public final class JsonLimits {
    /** Bytes of one JSON text: a message of the largest values of a handle, in base64 or escaped. */
    public static final int JSON_BYTES_MAX = 2 << 20;

    /**
     * Levels of nesting: the deepest legitimate one is a key in a server in a site in a value in a record in a bulk
     * line.
     */
    public static final int JSON_DEPTH_MAX = 24;

    /** Characters of a number in JSON: 64 bits have 20. */
    public static final int JSON_DIGITS_MAX = 40;

    /** Characters of a name in JSON. */
    public static final int JSON_NAME_MAX = 256;

    private JsonLimits() {}
}
