package io.guidepost.handle.service;

/** Counters of the message service. Metrics and console show these names. */
public enum HandleServiceCount {
    /** Messages received. */
    MESSAGES,
    /** Malformed messages. */
    UNREADABLE,
    /** Errors not sent over UDP: even the shortest form is longer than the request. */
    ERRORS_AMPLIFICATION_MAX,
    /** Responses that could not be sent, as the client was gone. */
    RECEIVERS_GONE,
    /** Requests that failed with an internal error, which is in the log. */
    FAILED,

    /** Challenges sent. */
    CHALLENGES,
    /** Challenges that timed out. */
    CHALLENGES_TIMED_OUT,
    /** Challenges evicted early: their sender has too many. */
    CHALLENGES_DROPPED_SOURCE_MAX,
    /** Challenges evicted early: the table is full of challenges or of the bytes of their requests. */
    CHALLENGES_DROPPED_TABLE_MAX,
    /** Responses to challenges that are unknown or timed out. */
    ANSWERS_UNKNOWN,
    /** Proofs that are right. */
    PROOFS_RIGHT,
    /** Proofs that are wrong. */
    PROOFS_WRONG,
    /** Proofs, signatures and key exchanges refused: a CPU quota is exhausted. */
    REFUSED_EFFORT,

    /** Sessions begun. */
    SESSIONS,
    /** Sessions that timed out unused. */
    SESSIONS_TIMED_OUT,
    /** Sessions refused: their sender has reached its quota. */
    SESSIONS_REFUSED_SOURCE_MAX,
    /** Sessions refused: the table is full. */
    SESSIONS_REFUSED_TABLE_MAX,
    /** Unused sessions evicted early, as the table was full. */
    SESSIONS_DROPPED_UNUSED,
    /** Key exchanges that failed, or whose keys were refused. */
    SESSIONS_FAILED,
    /** Messages in sessions that are unknown or timed out. */
    MESSAGES_WITHOUT_SESSION,
    /** Messages in sessions whose MAC is missing or wrong, or that do not decrypt. */
    MESSAGES_WRONG_MAC,
    /** Messages in sessions with a counter that was used: replays. */
    MESSAGES_REPLAYED,
    /** Retransmitted changes over UDP that the retransmission cache answered, without executing them again. */
    CHANGES_REPEATED
}
