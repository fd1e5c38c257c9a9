package io.guidepost.alto.protocol;

/** Bounds of what is taken and told over ALTO, each with its reason. */
public final class AltoLimits {
    /** Bytes of one request: 10,000 endpoints of IPv6 with some air. */
    public static final int REQUEST_BYTES_MAX = 1 << 20;

    /** Endpoints or entities of one list of a request: more would be a scan, not a choice. */
    public static final int ENDPOINTS_MAX = 10_000;

    /** Pairs of one answer to a request, over all types of costs: at some 30 bytes each, 30 MB. */
    public static final int PAIRS_MAX = 1_000_000;

    /** Pairs of a whole cost map, which is rendered once per version: 600 routers and 10,000 other places. */
    public static final int MAP_PAIRS_MAX = 6_000_000;

    /** Constraints of one request, in all groups. */
    public static final int CONSTRAINTS_MAX = 64;

    /** Cost types of one request of several costs (RFC 8189). */
    public static final int COST_TYPES_MAX = 16;

    /** PIDs named in one request. */
    public static final int PIDS_MAX = 10_000;

    /** Ways of one answer of path vectors: each has a dozen elements. */
    public static final int PATHS_MAX = 20_000;

    /** Blocks of a map that is told block by block as properties too; of a larger one, properties are asked for. */
    public static final int PROPERTY_BLOCKS_MAX = 200_000;

    /** Pairs up to which a cost map tells the costs between places outside too: 500 places. */
    public static final int SMALL_MAP_PAIRS = 250_000;

    /** Bytes of one file of maps: a million blocks of IPv6. */
    public static final int FILE_BYTES_MAX = 1 << 26;

    /** Blocks of one PID in a file; of all PIDs, the bytes of the file are the bound. */
    public static final int BLOCKS_MAX = 1 << 22;

    /** PIDs of a map that a file may give costs for: four million pairs. */
    public static final int TABLE_PIDS_MAX = 2048;

    /** Intervals of a calendar: a week in steps of five minutes. */
    public static final int INTERVALS_MAX = 2016;

    /** Seconds of an interval: a year. */
    public static final long INTERVAL_SECONDS_MAX = 366L * 24 * 60 * 60;

    /** Characters of a value that is told back in a fault. */
    public static final int VALUE_TOLD_MAX = 200;

    private AltoLimits() {}
}
