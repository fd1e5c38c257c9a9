package io.guidepost.naming;

/** Counters of names over HTTP; metrics show these names. */
public enum NamingCount {
    /** Watches begun. */
    WATCHES_OPENED,
    /** Watches that have ended, for any reason. */
    WATCHES_ENDED,
    /** Snapshots sent to watchers. */
    SNAPSHOTS_SENT,
    /** Watchers that went on from a position that they had. */
    RESUMED_WATCHES,
    /** Watchers told to begin again, as their position is no longer kept. */
    RESETS_POSITION,
    /** Watchers told to begin again, as they were too slow. */
    RESETS_SLOW,
    /** Changes taken in for watchers. */
    EVENTS_TAKEN,
    /** Changes sent to watchers. */
    EVENTS_SENT,
    /** Times that all watchers had to begin again, as changes came faster than they were told. */
    OVERRUN_CHANGES,
    /** Heartbeats sent. */
    HEARTBEATS_SENT,
    /** Leases given. */
    LEASES_GIVEN,
    /** Renewals of leases. */
    LEASES_RENEWED,
    /** Leases that ended as they were not renewed. */
    LEASES_EXPIRED,
    /** Leases ended by a client. */
    LEASES_ENDED,
    /** Leases refused, as there are too many. */
    LEASES_REFUSED,
    /** Writes without a token that is needed, or with one that is unknown. */
    DENIED_UNAUTHORIZED,
    /** Writes with a token for another prefix. */
    DENIED_FORBIDDEN
}
