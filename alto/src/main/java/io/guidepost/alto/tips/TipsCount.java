package io.guidepost.alto.tips;

/** Counters of views. Metrics and console show these names. */
public enum TipsCount {
    /** Views opened. */
    VIEWS_OPENED,
    /** Views closed by their client. */
    VIEWS_CLOSED_CLIENT,
    /** Views closed after their idle time. */
    VIEWS_CLOSED_IDLE,
    /** Views refused: too many, or too many of one client address. */
    REFUSED_VIEWS,
    /** Invalid requests. */
    MALFORMED_REQUESTS,
    /** Full versions sent. */
    VERSIONS_SENT_FULL,
    /** Incremental updates sent. */
    VERSIONS_SENT_INCREMENT,
    /** Requests that waited for the next version. */
    LONG_POLLS,
    /** Requests that waited until the time-out. */
    LONG_POLL_TIMEOUTS,
    /** Requests refused as too many wait already. */
    REFUSED_LONG_POLLS
}
