package io.guidepost.handle.service;

/** Counters of the message service. Metrics and console show these names. */
public enum HandleServiceCount {
    /** Messages received. */
    MESSAGES,
    /** Malformed messages. */
    MALFORMED_MESSAGES,
    /** Errors not sent over UDP: even the shortest form is longer than the request. */
    WITHHELD_ERRORS,
    /** Responses that could not be sent, as the client was gone. */
    UNSENT_RESPONSES,
    /** Requests that failed with an internal error, which is in the log. */
    FAILED_REQUESTS,

    /** Challenges sent. */
    CHALLENGES_SENT,
    /** Challenges that timed out. */
    CHALLENGES_DROPPED_TIMED_OUT,
    /** Challenges evicted early: their sender has too many. */
    CHALLENGES_DROPPED_SOURCE_MAX,
    /** Challenges evicted early: the table is full of challenges or of the bytes of their requests. */
    CHALLENGES_DROPPED_TABLE_MAX,
    /** Responses to challenges that are unknown or timed out. */
    PROOFS_UNKNOWN,
    /** Proofs that are right. */
    PROOFS_RIGHT,
    /** Proofs that are wrong. */
    PROOFS_WRONG,
    /** Proofs, signatures and key exchanges refused: a CPU quota is exhausted. */
    CPU_QUOTA_REFUSALS,

    /** Sessions begun. */
    SESSIONS_BEGUN,
    /** Sessions that timed out unused. */
    SESSIONS_DROPPED_TIMED_OUT,
    /** Sessions refused: their sender has reached its quota. */
    SESSIONS_REFUSED_SOURCE_MAX,
    /** Sessions refused: the table is full. */
    SESSIONS_REFUSED_TABLE_MAX,
    /** Unused sessions evicted early, as the table was full. */
    SESSIONS_DROPPED_TABLE_MAX,
    /** Key exchanges that failed, or whose keys were refused. */
    SESSIONS_REFUSED_KEY_EXCHANGE,
    /** Messages in sessions that are unknown or timed out. */
    SESSION_MESSAGES_REFUSED_UNKNOWN_SESSION,
    /** Messages in sessions whose MAC is missing or wrong, or that do not decrypt. */
    SESSION_MESSAGES_REFUSED_WRONG_MAC,
    /** Messages in sessions with a counter that was used: replays. */
    SESSION_MESSAGES_REFUSED_REPLAYED,
    /** Retransmitted changes over UDP that the retransmission cache answered, without executing them again. */
    REPEATED_CHANGES
}
