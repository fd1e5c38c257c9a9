package io.guidepost.gnrs.peer;

/** The counters of the traffic between servers. Metrics show these names. */
public enum PeerCount {
    /** Requests sent to peers. */
    QUESTIONS,
    /** Requests not sent because too many were in flight. */
    QUESTIONS_MAX,
    /** Requests that timed out. */
    SILENCES,
    /** Responses dropped because no request was in flight under their ids. */
    DROPPED_UNASKED,
    /** Responses dropped because they came from another address than the request went to. */
    DROPPED_NOT_FROM_THERE,
    /** Messages between servers dropped because their seal was missing or wrong. */
    DROPPED_SEAL,
    /** Messages between servers dropped because they came from no server of the deployment. */
    DROPPED_STRANGER,
    /** Responses dropped because they were malformed. */
    DROPPED_MALFORMED_ANSWER,
    /** Requests of peers dropped because they were malformed. */
    DROPPED_MALFORMED_QUESTION,

    /** Fetches of a record from its servers. */
    FETCHES,
    /** Look-ups that joined a fetch in flight. */
    FETCHES_JOINED,
    /** Fetches that failed because too few servers answered. */
    FETCHES_FAILED,
    /** Local records that could not be read from the engine because too many reads were in flight. */
    ENGINE_MAX,
    /** Read repairs: records sent to servers whose answers lacked parts of them. */
    REPAIRS,
    /** Cached records evicted before their time, for want of room. */
    MEMORIES_MAX,
    /** FETCH requests of peers. */
    FETCHES_ANSWERED,
    /** Messages handed over to the worker that they are for. */
    HANDED_OVER,
    /** Such messages dropped because too many waited. */
    INBOX_MAX,
    /** FORGET messages sent to peers that may cache a changed record. */
    FORGETS,
    /** FORGET messages received. */
    FORGETS_HEARD,
    /** Records whose caching peers were not recorded, because there were too many. */
    INTERESTS_MAX,
    /** Changes that caching peers were not told of, because there were too many. */
    FORGETS_MAX,

    /** MERGE requests of peers. */
    MERGES,
    /** MERGE requests refused because too many were in flight. */
    MERGES_IN_FLIGHT_MAX,
    /** MERGE requests refused because their stamps are too far ahead of the local clock. */
    MERGES_STAMP_AHEAD,
    /** Writes of clients that were combined with others of the same name. */
    WRITES_COMBINED,
    /** Writes that took a later stamp because a server knew one that was not older. */
    WRITES_BEHIND,
    /** Retransmitted write requests that got the earlier response. */
    WRITES_REPEATED,
    /** Writes dropped from the duplicate-request cache before their time, because too many followed. */
    WRITES_REPEATS_MAX,
    /** Writes refused because too many of the same name waited. */
    WRITES_WAITING_MAX,
    /** Write requests retransmitted to servers after a timeout. */
    WRITES_SENT_AGAIN,
    /** Hints: changes kept for servers that did not confirm them. */
    HINTS,

    /** Messages between servers dropped at the anti-entropy port because they were no responses. */
    DROPPED_NO_RESPONSE,
    /** PING requests of peers. */
    PINGS,
    /** DIGESTS requests of peers. */
    COMPARISONS,
    /** Records of peers that were compared with the local ones. */
    RECORDS_COMPARED,
    /** Records pushed to peers by anti-entropy. */
    RECORDS_PUSHED,
    /** Records pulled from peers by anti-entropy. */
    RECORDS_PULLED,
    /** Records handed over to the servers where they are placed now. */
    RECORDS_HANDED_OVER,
    /** Records, or parts of them, dropped because they were deleted elsewhere while this server was down. */
    RECORDS_OUTDATED,
    /** Hints that their servers hold now. */
    HINTS_REPLAYED
}
