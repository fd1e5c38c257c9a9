package io.guidepost.middlebox.firewall;

/** Bounds of the firewall, each with its reason. */
final class FirewallLimits {
    /** Rules of a file: far more than people or generators write; HyperSplit compiles them in seconds. */
    static final int RULES_MAX = 100_000;

    /** Boxes of all rules with their lists expanded: at 80 bytes each, 40 MB. */
    static final int BOXES_MAX = 500_000;

    /** Bytes of a rule file: those rules at some hundred bytes each. */
    static final int FILE_BYTES_MAX = 16 << 20;

    /** Boxes up to which linear search is used: with 10 it is faster than RFC, with 16 slower (docs/benchmarks.md). */
    static final int LIST_BOXES_MAX = 12;

    /** Boxes up to which RFC is tried: their numbers, and one for none, are 16 bits in tables. */
    static final int PRODUCT_BOXES_MAX = 16_384;

    /** Entries of each of the six RFC tables: 8 MiB, a good part of which stays in caches. */
    static final int PRODUCT_ENTRIES_MAX = 1 << 22;

    /** Box numbers in the equivalence classes while RFC tables are built: 16 MiB. */
    static final int PRODUCT_PLACES_MAX = 1 << 22;

    /** Box numbers visited while RFC tables are built: about a second. */
    static final long PRODUCT_STEPS_MAX = 1L << 29;

    /** Boxes in a leaf of the tree: comparing them costs about as much as one more level. */
    static final int LEAF_BOXES = 6;

    /** Replicas in leaves for each box: wide rules are replicated, and memory must not grow with their product. */
    static final int REPEATS_MAX = 12;

    /** Rate limit of the log for each direction of each queue: a packet flood must not flood the log. */
    static final int LOG_LINES_PER_SECOND = 10;

    private FirewallLimits() {}
}
