package io.guidepost.handle.door;

/** Counters of the Handle door's datagrams, one cell for each. */
public enum HandleCount {
    /** Datagrams received. */
    DATAGRAMS,
    /** Bytes received. */
    BYTES_IN,
    /** Bytes sent. */
    BYTES_OUT,
    /** Requests answered directly: values found. */
    RESOLVED_FOUND,
    /** Requests answered directly: the record has no such values. */
    RESOLVED_NO_VALUES,
    /** Requests answered directly: there is no such handle. */
    RESOLVED_NO_HANDLE,
    /** Requests answered directly: this server is not responsible for the prefix. */
    RESOLVED_ELSEWHERE,
    /** Messages submitted to the service: all that the index cannot answer. */
    CALLS,
    /** Messages that the service sent. */
    CALLS_ANSWERED,
    /** Responses sent in several packets. */
    ANSWERS_SPLIT,
    /** Dropped: shorter than an envelope and a header, and no fragment. */
    DROPPED_MALFORMED,
    /** Dropped: a response without a request. Answering it could start an endless loop. */
    DROPPED_ANSWER,
    /** Dropped: a retransmission of a pending request. */
    DROPPED_REPEATED,
    /** Dropped: the worker has too many pending requests. */
    DROPPED_CALLS_MAX,
    /** Dropped: the rate limit of the source network is exhausted. */
    DROPPED_BUDGET,
    /** Dropped: the queue of fragments is full. */
    DROPPED_OUTGOING_MAX,
    /** Dropped: the worker had no free packet. */
    DROPPED_NO_ROOM,
    /** Requests that ended with an internal error. */
    FAILED
}
