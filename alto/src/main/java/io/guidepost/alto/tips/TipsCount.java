package io.guidepost.alto.tips;

/** Counters of views. Metrics and console show these names. */
public enum TipsCount {
    /** Views opened. */
    VIEWS_OPENED,
    /** Views closed by their client. */
    VIEWS_CLOSED,
    /** Views closed after their idle time. */
    VIEWS_EXPIRED,
    /** Views refused: too many, or too many of one client address. */
    VIEWS_REFUSED,
    /** Invalid requests. */
    MALFORMED,
    /** Full versions sent. */
    SNAPSHOTS,
    /** Incremental updates sent. */
    STEPS,
    /** Requests that waited for the next version. */
    WAITS,
    /** Requests that waited until the time-out. */
    WAITS_IN_VAIN,
    /** Requests refused as too many wait already. */
    WAITS_REFUSED
}
