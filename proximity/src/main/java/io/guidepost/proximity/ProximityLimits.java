package io.guidepost.proximity;

/** Bounds of prefix tables and of messages about files, each with its reason. */
final class ProximityLimits {
    /**
     * Prefixes of one family in a table: sixteen times the Internet's; also what {@link Prefixes} can number in a sort
     * key.
     */
    static final int PREFIXES_MAX = 1 << 24;

    /** Warnings about files that are listed: a person reads no more. The others are counted. */
    static final int WARNINGS_MAX = 50;

    private ProximityLimits() {}
}
