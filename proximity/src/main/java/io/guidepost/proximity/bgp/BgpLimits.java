package io.guidepost.proximity.bgp;

/** Bounds of what routers may send, each with its reason. */
final class BgpLimits {
    /** Longest message before both sides announced longer ones (RFC 4271 section 4). */
    static final int MESSAGE_BYTES_MAX = 4096;

    /** Longest message after that (RFC 8654): all that its length field can express. */
    static final int EXTENDED_MESSAGE_BYTES_MAX = 65_535;

    /** Longest BMP message: a BGP message in it, and room for statistics and texts. */
    static final int BMP_MESSAGE_BYTES_MAX = 1 << 20;

    /** Longest MRT record: a prefix with the attributes of thousands of peers is below a mebibyte. */
    static final int MRT_RECORD_BYTES_MAX = 1 << 24;

    /** Peers of one router over BMP: a large route reflector has some hundreds. */
    static final int BMP_PEERS_MAX = 4096;

    /** Peers of all feeds; also what fits beside a route, see {@link AdjRibTable}. */
    static final int PEERS_MAX = 65_535;

    /** Exits of routes; also what fits beside a route. */
    static final int EXITS_MAX = 65_535;

    /** Routes of all peers: thirty full tables of the Internet, in two gibibytes. */
    static final int ROUTES_MAX = 1 << 25;

    /** Paths to one prefix that one peer may send with ADD-PATH: more only make lookups of that prefix slow. */
    static final int PATHS_MAX = 64;

    /**
     * Changes that may wait for the network: a feed that adds more applies them first, so that memory stays bounded.
     */
    static final int TOUCHED_MAX = 1 << 20;

    /** ASes on a path: what fits beside a route; an attribute of 65,535 bytes has no more. */
    static final int DISTANCE_MAX = 32_767;

    private BgpLimits() {}
}
