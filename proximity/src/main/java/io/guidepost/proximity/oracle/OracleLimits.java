package io.guidepost.proximity.oracle;

/** Bounds of the Oracle's files and console, each with its reason. */
final class OracleLimits {
    /** Routers of a network: more than any operator's; each router with clients costs a row of all places. */
    static final int ROUTERS_MAX = 65_536;

    /** Cards of one router: chassis with more ports exist, but not as ends of links between routers. */
    static final int NICS_MAX = 65_536;

    /** Worker threads: more than machines have processors. */
    static final int THREADS_MAX = 1024;

    /** ASes behind an exit: real paths have fewer than a hundred, prepended ones some hundreds. */
    static final int AS_DISTANCE_MAX = 65_535;

    /** Milliseconds of the artificial delay of a worker: a minute already stops a server in effect. */
    static final int THREAD_DELAY_MILLIS_MAX = 60_000;

    /** Entries of one print command: some screens full; a prefix or a start shows the rest. */
    static final int LIST_MAX = 200;

    /** Routes of a router that are printed: one to each router of a large network. */
    static final int ROUTES_TOLD_MAX = 5000;

    /** Completions that are listed: a screen full. */
    static final int CANDIDATES_MAX = 100;

    /** Characters of a line on the console: the longest command has six addresses. */
    static final int LINE_CHARACTERS_MAX = 4096;

    private OracleLimits() {}
}
