package io.guidepost.proximity.ranking;

/** Bounds of ranking, each with its reason. */
final class RankingLimits {
    /**
     * Bytes of ranks that are kept for routers that asked: all of 5,000 routers with 6,000 places, or a thousand with
     * 32,000. Beyond it the router that has not asked for longest is forgotten, and worked out again when it asks.
     */
    static final long RANKS_BYTES_MAX = 64L << 20;

    /** Bytes of paths that are kept: those of 300 routers out of 5,000, which explanations and maps ask for again and again. */
    static final long PATHS_BYTES_MAX = 64L << 20;

    /** The largest rank there is room for; whatever is further shares it. */
    static final int RANK_MAX = Ranking.UNRANKED - 1;

    /** Places that a network may have gone through before all are numbered anew: ranks of so many are still in the second cache. */
    static final int PLACES_SPARE = 16_384;

    /** Characters of a formula: some hundred operations, which are done for each place when a router first asks. */
    static final int FORMULA_CHARACTERS_MAX = 1_000;

    /** Brackets within brackets of a formula: more than anyone can read, and far less than the stack has room for. */
    static final int FORMULA_DEPTH_MAX = 50;

    /** Routers that are worked out before a snapshot is in force: half a second of work if each is one of 5,000. */
    static final int WARM_MAX = 256;

    private RankingLimits() {}
}
