package io.guidepost.middlebox.firewall;

/** Bounds of the firewall, each with its reason. */
final class FirewallLimits {
    /** Rules of a file: far more than people or generators write, and their tree is built in seconds. */
    static final int RULES_MAX = 100_000;

    /** Boxes that rules stand for once their lists are written out: as memory of 80 bytes each, 40 MB. */
    static final int BOXES_MAX = 500_000;

    /** Bytes of a rule file: those rules at some hundred bytes each. */
    static final int FILE_BYTES_MAX = 16 << 20;

    /** Boxes up to which a list is compared: with 10 it takes less time than products, with 16 more (docs/benchmarks.md). */
    static final int LIST_BOXES_MAX = 12;

    /** Boxes up to which products are tried: their numbers, and one that says none, are 16 bits in tables. */
    static final int PRODUCT_BOXES_MAX = 16_384;

    /** Entries of each of the six product tables: 8 MiB, of which caches still hold a good part. */
    static final int PRODUCT_ENTRIES_MAX = 1 << 22;

    /** Numbers of boxes in the classes of a product while it is built: 16 MiB. */
    static final int PRODUCT_PLACES_MAX = 1 << 22;

    /** Numbers of boxes that are looked at while a product is built: about a second. */
    static final long PRODUCT_STEPS_MAX = 1L << 29;

    /** Boxes up to which bit vectors are made: they grow with the square of the boxes, and are two MiB at most here. */
    static final int VECTOR_BOXES_MAX = 1024;

    /** Boxes in a leaf of the tree: to compare so many costs about as much as one more step down. */
    static final int LEAF_BOXES = 6;

    /** Places in leaves for each box of the rules: wide rules repeat, and memory must not grow with their product. */
    static final int REPEATS_MAX = 12;

    /** Lines that each direction of each queue may log in a second: a flood of packets must not flood the log. */
    static final int LOG_LINES_PER_SECOND = 10;

    private FirewallLimits() {}
}
