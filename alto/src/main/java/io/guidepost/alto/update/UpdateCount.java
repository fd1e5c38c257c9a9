package io.guidepost.alto.update;

/** Counters of update streams. Metrics and console show these names. */
public enum UpdateCount {
    /** Streams opened. */
    STREAMS_OPENED,
    /** Streams that have ended, for any reason. */
    STREAMS_ENDED,
    /** Streams refused: too many, or too many of one client address. */
    STREAMS_REFUSED,
    /** Streams whose receiver has gone, or was too slow for too long. */
    RECEIVERS_LOST,
    /** Invalid requests. */
    MALFORMED,
    /** Control messages accepted. */
    CONTROLS,
    /** Control messages refused, as too many waited for their stream. */
    CONTROLS_REFUSED,
    /** Full resources sent. */
    TOLD_WHOLE,
    /** Merge patches sent. */
    TOLD_AS_MERGE_PATCH,
    /** JSON patches sent. */
    TOLD_AS_JSON_PATCH,
    /** Substreams that ended because their resource is no longer available. */
    SUBSTREAMS_FAILED,
    /** Comments sent to keep a connection open. */
    SILENCES
}
