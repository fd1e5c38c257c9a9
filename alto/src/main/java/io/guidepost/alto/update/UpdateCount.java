package io.guidepost.alto.update;

/** Counters of update streams. Metrics and console show these names. */
public enum UpdateCount {
    /** Streams opened. */
    STREAMS_OPENED,
    /** Streams that have ended, for any reason. */
    STREAMS_ENDED,
    /** Streams refused: too many, or too many of one client address. */
    REFUSED_STREAMS,
    /** Streams whose receiver has gone, or was too slow for too long. */
    LOST_RECEIVERS,
    /** Invalid requests. */
    MALFORMED_REQUESTS,
    /** Control messages accepted. */
    CONTROLS_ACCEPTED,
    /** Control messages refused, as too many waited for their stream. */
    CONTROLS_REFUSED,
    /** Full resources sent. */
    MESSAGES_FULL,
    /** Merge patches sent. */
    MESSAGES_MERGE_PATCH,
    /** JSON patches sent. */
    MESSAGES_JSON_PATCH,
    /** Substreams that ended because their resource is no longer available. */
    FAILED_SUBSTREAMS,
    /** Comments sent to keep a connection open. */
    MESSAGES_KEEP_ALIVE
}
