package io.guidepost.alto.tips;

/** What views count. Metrics and console show these names. */
public enum TipsCount {
    /** Views opened. */
    VIEWS_OPENED,
    /** Views closed by their client. */
    VIEWS_CLOSED,
    /** Views closed, as nobody had asked anything of them for a long time. */
    VIEWS_EXPIRED,
    /** Views refused, as there were too many, or too many of one address. */
    VIEWS_REFUSED,
    /** Requests that are none. */
    MALFORMED,
    /** Versions told whole. */
    SNAPSHOTS,
    /** Changes told. */
    STEPS,
    /** Requests that waited for the next version. */
    WAITS,
    /** Requests that waited in vain. */
    WAITS_IN_VAIN,
    /** Requests that could not wait, as too many did. */
    WAITS_REFUSED
}
