package io.guidepost.handle.service;

/** What the service of messages counts. Metrics and console show these names. */
public enum HandleServiceCount {
    /** Messages taken. */
    MESSAGES,
    /** Messages that could not be read. */
    UNREADABLE,
    /** Answers that could not be sent, as the receiver was gone. */
    RECEIVERS_GONE,
    /** Requests that failed for a reason of this server's own, which is in the log. */
    FAILED,

    /** Challenges sent. */
    CHALLENGES,
    /** Challenges that were not answered in time. */
    CHALLENGES_TIMED_OUT,
    /** Challenges forgotten early: their sender has too many. */
    CHALLENGES_DROPPED_SOURCE_MAX,
    /** Challenges forgotten early: there are too many, or too many bytes of requests that wait for them. */
    CHALLENGES_DROPPED_TABLE_MAX,
    /** Answers to challenges that are not known, or no longer. */
    ANSWERS_UNKNOWN,
    /** Proofs that are right. */
    PROOFS_RIGHT,
    /** Proofs that are wrong. */
    PROOFS_WRONG,
    /** Proofs, signatures and key exchanges refused: their sender, or all together, cost too much. */
    REFUSED_EFFORT,

    /** Sessions begun. */
    SESSIONS,
    /** Sessions that nobody used in time. */
    SESSIONS_TIMED_OUT,
    /** Sessions refused: their sender has too many. */
    SESSIONS_REFUSED_SOURCE_MAX,
    /** Sessions refused: there are too many. */
    SESSIONS_REFUSED_TABLE_MAX,
    /** Sessions forgotten early, that were never used, as there are too many. */
    SESSIONS_DROPPED_UNUSED,
    /** Key exchanges that failed, or whose keys are not taken. */
    SESSIONS_FAILED,
    /** Messages in sessions that are not known, or no longer. */
    MESSAGES_WITHOUT_SESSION,
    /** Messages in sessions whose MAC is missing or wrong, or that do not decrypt. */
    MESSAGES_WRONG_MAC,
    /** Messages in sessions whose number was used. */
    MESSAGES_REPLAYED,
    /** Changes in sessions that came again over UDP, and were answered as the first time, without being made again. */
    CHANGES_REPEATED
}
