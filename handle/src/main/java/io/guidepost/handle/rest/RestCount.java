package io.guidepost.handle.rest;

/** What the JSON interface counts. Metrics and console show these names. */
public enum RestCount {
    /** Answers that were ready when they were asked for, see {@link ResponseCache}. */
    READY_ANSWERS,
    /** Questions whose answer was made. */
    QUESTIONS,
    /** Changes asked for by somebody who has shown who they are, those of bulk requests left out. */
    CHANGES,
    /** Lines of bulk requests that were well-formed. */
    BULK_LINES,
    /** Lines of bulk requests that were not. */
    BULK_LINES_MALFORMED,
    /** Searches. */
    SEARCHES,
    /** Requests that are none: a path, a method, a parameter, a body. */
    MALFORMED,
    /** Requests answered with a challenge, or over clear HTTP with the refusal to send one. */
    CHALLENGES,
    /** Proofs refused: wrong, not readable, of a session that has ended, or too many from their sender. */
    PROOFS_REFUSED,
    /** Sessions forgotten before their time, as there were more than {@code Limits.WEB_SESSIONS_MAX} of their kind. */
    SESSIONS_DROPPED,
    /** Requests that failed for a reason of this server's own, which is in the log. */
    FAILED
}
