package io.guidepost.proximity;

/** Bounds of prefix tables, each with its reason. */
final class Limits {
    /** Prefixes of one family in a table: sixteen times the Internet's; also what {@link Prefixes} can number in a sort key. */
    static final int PREFIXES_MAX = 1 << 24;

    private Limits() {}
}
