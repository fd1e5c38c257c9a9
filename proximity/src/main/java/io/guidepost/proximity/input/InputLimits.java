package io.guidepost.proximity.input;

/** Bounds of the files that are read, each with its reason. */
final class InputLimits {
    /**
     * Nodes of a topology: as many as a network may have routers; router numbers come from a block of twice as many.
     */
    static final int NODES_MAX = 65_536;

    /** Edges between nodes: the densest measured network of an operator has a hundredth of it. */
    static final int EDGES_MAX = 1 << 20;

    /** Decompressed bytes of a topology: the densest known has a hundredth; a small file may expand to any size. */
    static final long TOPOLOGY_BYTES_MAX = 1L << 28;

    /** Levels of XML elements: the format has four, and nested graphs some more. */
    static final int XML_DEPTH_MAX = 64;

    /** Characters of one XML text: names and numbers are short, and drawings are ignored. */
    static final int XML_TEXT_MAX = 1 << 16;

    /** ASes behind an exit, as in the Oracle's files. */
    static final int AS_DISTANCE_MAX = 65_535;

    /** Bytes that are read to recognise a file: comments may stand before the first statement. */
    static final int LOOK_BYTES = 1 << 16;

    /** Default number of exits for prefixes without one: a network has some edge routers. */
    static final int EXITS_MAX = 8;

    private InputLimits() {}
}
