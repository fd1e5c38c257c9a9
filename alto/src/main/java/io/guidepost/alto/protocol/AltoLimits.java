package io.guidepost.alto.protocol;

/** Bounds of ALTO requests and responses, each with its reason. */
public final class AltoLimits {
    /** Bytes of one request: 10,000 IPv6 endpoints with spare room. */
    public static final int REQUEST_BYTES_MAX = 1 << 20;

    /** Endpoints or entities of one list of a request: a longer list would be a scan. */
    public static final int ENDPOINTS_MAX = 10_000;

    /** Pairs of one response over all cost types: at some 30 bytes each, 30 MB. */
    public static final int PAIRS_MAX = 1_000_000;

    /** Pairs of a full cost map, which is rendered once per version: 600 routers and 10,000 other places. */
    public static final int MAP_PAIRS_MAX = 6_000_000;

    /** Constraints of one request, in all groups. */
    public static final int CONSTRAINTS_MAX = 64;

    /** Cost types of one multi-cost request (RFC 8189). */
    public static final int COST_TYPES_MAX = 16;

    /** PIDs named in one request. */
    public static final int PIDS_MAX = 10_000;

    /** Paths of one path vector response: each has a dozen elements. */
    public static final int PATHS_MAX = 20_000;

    /** Blocks of a network map whose property map is published in full; of a larger one, clients query properties. */
    public static final int PROPERTY_BLOCKS_MAX = 200_000;

    /** Pairs up to which a cost map includes the costs between external places: 500 places. */
    public static final int SMALL_MAP_PAIRS = 250_000;

    /** Bytes of one map file: a million IPv6 blocks. */
    public static final int FILE_BYTES_MAX = 1 << 26;

    /** Blocks of one PID in a file; the size of the file bounds those of all PIDs. */
    public static final int BLOCKS_MAX = 1 << 22;

    /** PIDs of a map for which a file may give costs: four million pairs. */
    public static final int TABLE_PIDS_MAX = 2048;

    /** Intervals of a cost calendar: a week in steps of five minutes. */
    public static final int INTERVALS_MAX = 2016;

    /** Seconds of an interval: a year. */
    public static final long INTERVAL_SECONDS_MAX = 366L * 24 * 60 * 60;

    /** Characters of an invalid value that an error response repeats. */
    public static final int VALUE_TOLD_MAX = 200;

    private AltoLimits() {}
}
