package io.guidepost.proximity.ranking;

/** Bounds of ranking, each with its reason. */
final class RankingLimits {
    /**
     * Bytes of cached ranks: all of 5,000 routers with 6,000 places, or a thousand with 32,000. Beyond it the CLOCK
     * cache evicts a router, whose ranks are computed again on demand.
     */
    static final long RANKS_BYTES_MAX = 64L << 20;

    /** Bytes of cached paths: those of 300 routers out of 5,000, which explanations and maps use again and again. */
    static final long PATHS_BYTES_MAX = 64L << 20;

    /** The largest rank; farther places share it. */
    static final int RANK_MAX = Ranking.UNRANKED - 1;

    /** Obsolete places before all are renumbered: that many ranks still fit the second-level cache. */
    static final int PLACES_SPARE = 16_384;

    /** Characters of a formula: some hundred operations, evaluated for each place on a router's first request. */
    static final int FORMULA_CHARACTERS_MAX = 1_000;

    /** Nested brackets of a formula: more than a person can read, and far below the bound of the stack. */
    static final int FORMULA_DEPTH_MAX = 50;

    /**
     * Routers whose ranks are computed before a snapshot is in force: half a second of work if each is one of 5,000.
     */
    static final int WARM_MAX = 256;

    /** Defects of a network that are told one by one; all are counted. */
    public static final int DEFECTS_TOLD_MAX = 100;

    private RankingLimits() {}
}
