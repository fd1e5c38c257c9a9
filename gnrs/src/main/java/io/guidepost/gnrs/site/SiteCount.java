package io.guidepost.gnrs.site;

/** What is counted of the traffic with other servers. Metrics show these names. */
public enum SiteCount {
    /** Questions sent to other servers. */
    QUESTIONS,
    /** Questions not asked because too many were open. */
    QUESTIONS_MAX,
    /** Questions that were not answered in time. */
    SILENCES,
    /** Responses dropped because nothing was asked under their ids. */
    DROPPED_UNASKED,
    /** Responses dropped because they came from elsewhere than the question went. */
    DROPPED_NOT_FROM_THERE,
    /** Messages among servers dropped because their seal was missing or wrong. */
    DROPPED_SEAL,
    /** Messages among servers dropped because they came from no server of the deployment. */
    DROPPED_STRANGER,
    /** Responses dropped because they were malformed. */
    DROPPED_MALFORMED_ANSWER,
    /** Questions of other servers dropped because they were malformed. */
    DROPPED_MALFORMED_QUESTION,

    /** Changes of records that other servers brought. */
    MERGES,
    /** Such changes refused because too many were under way. */
    MERGES_IN_FLIGHT_MAX,
    /** Such changes refused because their stamps are too far ahead of the clock here. */
    MERGES_STAMP_AHEAD,
    /** Writes of clients that went out with others of the same name, as one. */
    WRITES_COMBINED,
    /** Times that a write took a later stamp because a server knew one that was not older. */
    WRITES_BEHIND,
    /** Requests to write that came again and were answered as before. */
    WRITES_REPEATED,
    /** Writes remembered no longer, before their time, because too many came after them. */
    WRITES_REPEATS_MAX,
    /** Writes refused because too many of the same name waited. */
    WRITES_WAITING_MAX,
    /** Questions to servers that were sent again because no answer came. */
    WRITES_SENT_AGAIN,
    /** Changes kept for servers that did not confirm them. */
    HINTS
}
