package io.guidepost.handle.rest;

/** Counters of the JSON interface. Metrics and console show these names. */
public enum RestCount {
    /** Hits of the response cache, see {@link ResponseCache}. */
    READY_ANSWERS,
    /** Resolutions that the cache did not answer. */
    QUESTIONS,
    /** Changes by authenticated clients, without those of bulk requests. */
    CHANGES,
    /** Well-formed lines of bulk requests. */
    BULK_LINES,
    /** Malformed lines of bulk requests. */
    BULK_LINES_MALFORMED,
    /** Searches. */
    SEARCHES,
    /** Malformed requests: a path, a method, a parameter, a body. */
    MALFORMED,
    /** Requests answered with a challenge, or over clear HTTP with its refusal. */
    CHALLENGES,
    /** Refused proofs: wrong, malformed, of an ended session, or beyond the sender's CPU quota. */
    PROOFS_REFUSED,
    /** Sessions evicted early, as there were more than {@code Limits.WEB_SESSIONS_MAX} of their kind. */
    SESSIONS_DROPPED,
    /** Requests that failed with an internal error, which is in the log. */
    FAILED
}
