package io.guidepost.fleet;

import io.guidepost.base.CommonLimits;
import java.util.concurrent.TimeUnit;

/** Bounds that no configuration changes, each with its reason. */
final class FleetLimits {
    /** Time that one statement may take: a client of GNRS has given up by then. */
    static final long STATEMENT_MILLIS = 2000;

    /** Time that one change may take, with all repetitions after lost compare-and-sets. */
    static final long CHANGE_MILLIS = 8000;

    /** Longest pause before a lost compare-and-set is tried again; the first is a hundredth of it. */
    static final long BACKOFF_NANOS_MAX = 100_000_000;

    /** Statements under way at a time: below what one connection to a node takes (2048), so that the driver refuses none. */
    static final int STATEMENTS_MAX = 1024;

    /** Requests of one connection to a node. */
    static final int CONNECTION_REQUESTS_MAX = 2048;

    /** For which a connection to a node may be silent: then it is asked, and left if it takes longer than a statement may. */
    static final long HEARTBEAT_MILLIS = 1000;

    /** After which a statement that may be repeated is sent to another node too: longer than a busy one takes. */
    static final long SPECULATION_MILLIS = 500;

    /** Nodes that one statement is sent to at most. */
    static final int SPECULATION_NODES_MAX = 2;

    /** Connecting and reading the schema at a start. */
    static final long CONNECT_MILLIS = 10_000;

    /** For which a start waits for the cluster: it then answers, that it is away, and goes on connecting. */
    static final long OPEN_MILLIS = 5000;

    /** Making a table: all nodes agree on it. */
    static final long SCHEMA_MILLIS = 30_000;

    /** Time between two looks at a cluster that answers, and at one that does not. */
    static final long PROBE_MILLIS = 1000;

    /** Life of a row that says deleted: as long as the tombstone of a replicated record. Versions grow over it. */
    static final long DELETED_SECONDS = TimeUnit.DAYS.toSeconds(10);

    /** Longest TTL of Cassandra, less a day; what lives longer has none. */
    static final long TTL_SECONDS_MAX = TimeUnit.DAYS.toSeconds(20 * 365 - 1);

    /** Life of a place behind its end, in the cluster: clocks of nodes and front ends differ by less. */
    static final int ENDED_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);

    /** How far a stamp of another front end may be ahead: what is written behind it must get a later one. */
    static final long AHEAD_MILLIS_MAX = TimeUnit.DAYS.toMillis(1);

    /** Places of one name that are read: some more than it may have, as several front ends add to it at a time. */
    static final int PLACES_MAX = 2 * CommonLimits.LOCATORS_MAX;

    /** A row that is not settled for so long was left so by a front end that has died. */
    static final long SETTLE_AFTER_MILLIS = 10_000;

    /** Rows of other front ends that are settled at a time. */
    static final int SETTLING_MAX = 16;

    /** Keys that wait to be renewed. */
    static final int RENEWALS_MAX = 256;

    /** Renewals under way at a time. */
    static final int RENEWING_MAX = 64;

    /** Buckets that the keys of one namespace are spread over: a billion names are then 16 million to each. */
    static final int BUCKETS = 64;

    /** Keys of the first page of a bucket; each further one has four times as many. */
    static final int PAGE_FIRST = 4;

    /** Keys of a page. */
    static final int PAGE_MAX = 256;

    /** Records that a scan reads at a time. */
    static final int SCAN_READS_MAX = 64;

    private FleetLimits() {}
}
