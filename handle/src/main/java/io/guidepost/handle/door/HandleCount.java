package io.guidepost.handle.door;

/** What happened to datagrams of the Handle door, one cell for each. */
public enum HandleCount {
    /** Datagrams that came. */
    DATAGRAMS,
    /** Bytes of them. */
    BYTES_IN,
    /** Bytes of those that left. */
    BYTES_OUT,
    /** Questions answered at once with values. */
    RESOLVED_FOUND,
    /** Questions answered at once: the record has no such values. */
    RESOLVED_NO_VALUES,
    /** Questions answered at once: there is no such handle. */
    RESOLVED_NO_HANDLE,
    /** Questions answered at once: the prefix is not at home here. */
    RESOLVED_ELSEWHERE,
    /** Messages handed to the service: all but questions that the index can answer. */
    CALLS,
    /** Messages that the service sent. */
    CALLS_ANSWERED,
    /** Messages that left in several packets. */
    ANSWERS_SPLIT,
    /** Dropped: it is an answer, and nothing was asked. Answering it could go on for ever. */
    DROPPED_ANSWER,
    /** Dropped: the same message of the same sender is being answered. */
    DROPPED_REPEATED,
    /** Dropped: too many messages are with the service. */
    DROPPED_CALLS_MAX,
    /** Dropped: the source's network was sent too much that it may not have asked for, see {@link SourceBudget}. */
    DROPPED_BUDGET,
    /** Dropped: too many bytes wait to leave. */
    DROPPED_OUTGOING_MAX,
    /** Dropped: the worker gave no room for a packet. */
    DROPPED_NO_ROOM,
    /** Calls that ended with a fault of the service's own. */
    FAILED
}
