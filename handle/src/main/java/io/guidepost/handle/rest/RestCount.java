package io.guidepost.handle.rest;

/** Counters of the JSON interface. Metrics and console show these names. */
public enum RestCount {
    /** Hits of the response cache, see {@link ResponseCache}. */
    REQUESTS_RESOLVE_CACHED,
    /** Resolutions that the cache did not answer. */
    REQUESTS_RESOLVE,
    /** Changes by authenticated clients, without those of bulk requests. */
    REQUESTS_CHANGE,
    /** Well-formed lines of bulk requests. */
    BULK_LINES_WELL_FORMED,
    /** Malformed lines of bulk requests. */
    BULK_LINES_MALFORMED,
    /** Searches. */
    REQUESTS_SEARCH,
    /** Malformed requests: a path, a method, a parameter, a body. */
    REFUSALS_MALFORMED,
    /** Requests answered with a challenge, or over clear HTTP with its refusal. */
    REFUSALS_CHALLENGE,
    /** Refused proofs: wrong, malformed, or of an ended session. */
    REFUSALS_PROOF,
    /** Proofs and signatures refused unseen: the CPU quota of the sender (429) or of all (503) is exhausted. */
    REFUSALS_QUOTA,
    /** Sessions evicted early, as there were more than {@code Limits.WEB_SESSIONS_MAX} of their kind. */
    EVICTED_SESSIONS,
    /** Requests that failed with an internal error, which is in the log. */
    FAILED_REQUESTS
}
