package io.guidepost.proximity.bgp;

/** Bounds of what routers may tell, each with its reason. */
final class BgpLimits {
    /** Longest message before both sides said that longer ones may come (RFC 4271 section 4). */
    static final int MESSAGE_BYTES_MAX = 4096;

    /** Longest message after that (RFC 8654): all that its length field can say. */
    static final int EXTENDED_MESSAGE_BYTES_MAX = 65_535;

    /** Longest message of BMP: one of BGP in it, and room for statistics and texts of a router that says much. */
    static final int BMP_MESSAGE_BYTES_MAX = 1 << 20;

    /** Longest record of MRT: a prefix with the attributes of thousands of peers is below a mebibyte. */
    static final int MRT_RECORD_BYTES_MAX = 1 << 24;

    /** Peers that one router may be watched with over BMP: a large route reflector has some hundreds. */
    static final int BMP_PEERS_MAX = 4096;

    /** Peers in all feeds together; also what fits beside a route, see {@link AdjRibTable}. */
    static final int PEERS_MAX = 65_535;

    /** Exits that routes lead to; also what fits beside a route. */
    static final int EXITS_MAX = 65_535;

    /** Routes of all peers together: thirty full tables of the Internet. A table of so many takes two gibibytes. */
    static final int ROUTES_MAX = 1 << 25;

    /** Ways to one prefix that one peer may tell with ADD-PATH: more only make look-ups of that prefix slow. */
    static final int PATHS_MAX = 64;

    /** Changes that may wait for the network: whoever adds more makes them first, so that memory stays bounded. */
    static final int TOUCHED_MAX = 1 << 20;

    /** ASes on a path: what fits beside a route; an attribute of 65,535 bytes has fewer. */
    static final int DISTANCE_MAX = 65_535;

    private BgpLimits() {}
}
