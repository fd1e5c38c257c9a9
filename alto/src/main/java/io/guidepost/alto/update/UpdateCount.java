package io.guidepost.alto.update;

/** What update streams count. Metrics and console show these names. */
public enum UpdateCount {
    /** Streams opened. */
    STREAMS_OPENED,
    /** Streams that have ended, for whatever reason. */
    STREAMS_ENDED,
    /** Streams refused, as there were too many, or too many of one address. */
    STREAMS_REFUSED,
    /** Streams whose receiver was gone, or took nothing for too long. */
    RECEIVERS_LOST,
    /** Requests that are none. */
    MALFORMED,
    /** Control messages taken. */
    CONTROLS,
    /** Control messages refused, as too many waited for their stream. */
    CONTROLS_REFUSED,
    /** Resources told whole. */
    TOLD_WHOLE,
    /** Changes told as a merge patch. */
    TOLD_AS_MERGE_PATCH,
    /** Changes told as a JSON patch. */
    TOLD_AS_JSON_PATCH,
    /** Substreams that ended, as their resource could no longer be told. */
    SUBSTREAMS_FAILED,
    /** Comments sent to keep a connection. */
    SILENCES
}
