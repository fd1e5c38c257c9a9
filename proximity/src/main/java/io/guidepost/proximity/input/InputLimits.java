package io.guidepost.proximity.input;

/** Bounds of the files that are read, each with its reason. */
final class InputLimits {
    /** Nodes of a topology: as many as a network may have routers; router numbers come from a block of twice as many. */
    static final int NODES_MAX = 65_536;

    /** Lines between nodes: the densest measured network of an operator has a hundredth of it. */
    static final int EDGES_MAX = 1 << 20;

    /** Bytes of a topology as it is unpacked: the densest known has a hundredth; a small file may unpack to any size. */
    static final long TOPOLOGY_BYTES_MAX = 1L << 28;

    /** Levels of elements in XML: the format has four, and nested graphs some more. */
    static final int XML_DEPTH_MAX = 64;

    /** Characters of one text in XML: names and numbers are short, drawings in a file are not looked at. */
    static final int XML_TEXT_MAX = 1 << 16;

    /** Systems on the way behind an exit, as in the Oracle's files. */
    static final int AS_DISTANCE_MAX = 65_535;

    /** Bytes of a file that are looked at to tell what it is: comments may stand before what tells it. */
    static final int LOOK_BYTES = 1 << 16;

    /** Exits for prefixes whose exit nobody named, if nobody named any: a network has some edges, not all its routers. */
    static final int EXITS_MAX = 8;

    private InputLimits() {}
}
