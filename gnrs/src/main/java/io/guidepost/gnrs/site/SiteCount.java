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
    DROPPED_MALFORMED_QUESTION
}
