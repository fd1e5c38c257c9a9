package io.guidepost.gnrs.peer;

/** The counters of the traffic between servers. Metrics show these names: REQUESTS_SENT is guidepost_peer_requests_sent. */
public enum PeerCount {
    /** Requests sent to peers. */
    REQUESTS_SENT,
    /** Requests not sent because too many were in flight. */
    REQUESTS_FAILED_IN_FLIGHT_MAX,
    /** Requests that timed out. */
    REQUESTS_FAILED_TIMEOUT,
    /** Messages between servers for whose response the buffer was too small. */
    DROPS_NO_ROOM,
    /** Responses dropped because no request was in flight under their ids. */
    DROPS_UNSOLICITED_RESPONSE,
    /** Responses dropped because they came from another address than the request went to. */
    DROPS_WRONG_SOURCE,
    /** Messages between servers dropped because their seal was missing or wrong. */
    DROPS_SEAL,
    /** Messages between servers dropped because they came from no server of the deployment. */
    DROPS_UNKNOWN_PEER,
    /** Responses dropped because they were malformed. */
    DROPS_MALFORMED_RESPONSE,
    /** Requests of peers dropped because they were malformed. */
    DROPS_MALFORMED_REQUEST,

    /** Fetches of a record from its servers. */
    FETCHES_BEGUN,
    /** Look-ups that joined a fetch in flight. */
    JOINED_FETCHES,
    /** Fetches that failed because too few servers answered. */
    FAILED_FETCHES,
    /** Local records that could not be read from the engine because too many reads were in flight. */
    REFUSED_ENGINE_READS,
    /** Read repairs: records sent to servers whose answers lacked parts of them. */
    READ_REPAIRS,
    /** Cached records evicted before their time, for want of room. */
    CACHE_EVICTIONS,
    /** FETCH requests of peers. */
    REQUESTS_RECEIVED_FETCH,
    /** Messages handed over to the worker that they are for. */
    HANDED_OVER_MESSAGES,
    /** Such messages dropped because too many waited. */
    DROPS_MAILBOX_FULL,
    /** FORGET messages sent to peers that may cache a changed record. */
    INVALIDATIONS_SENT,
    /** FORGET messages received. */
    REQUESTS_RECEIVED_FORGET,
    /** Records whose caching peers were not recorded, because there were too many. */
    INVALIDATIONS_LOST_RECORDS_MAX,
    /** Caching peers that were not recorded, because too many cache the same record. */
    INVALIDATIONS_LOST_PEERS_MAX,
    /** Changes that caching peers were not told of, because there were too many. */
    INVALIDATIONS_LOST_QUEUE_FULL,

    /** MERGE requests of peers. */
    REQUESTS_RECEIVED_MERGE,
    /** MERGE requests refused because too many were in flight. */
    REFUSED_MERGES_IN_FLIGHT_MAX,
    /** MERGE requests refused because their stamps are too far ahead of the local clock. */
    REFUSED_MERGES_STAMP_AHEAD,
    /** Writes of clients that were combined with others of the same name. */
    COMBINED_WRITES,
    /** Writes that took a later stamp because a server knew one that was not older. */
    RESTAMPED_WRITES,
    /** Retransmitted write requests that got the earlier response. */
    REPEATED_WRITES,
    /** Writes dropped from the duplicate-request cache before their time, because too many followed. */
    DUPLICATE_CACHE_EVICTIONS,
    /** Writes refused because too many of the same name waited. */
    REFUSED_WRITES,
    /** Write requests retransmitted to servers after a timeout. */
    RETRANSMISSIONS,
    /** Hints: changes kept for servers that did not confirm them. */
    HINTS_STORED,

    /** Messages between servers dropped at the anti-entropy port because they were no responses. */
    DROPS_NO_RESPONSE,
    /** PING requests of peers. */
    REQUESTS_RECEIVED_PING,
    /** DIGESTS requests of peers. */
    REQUESTS_RECEIVED_DIGESTS,
    /** SYNDROMES requests of peers. */
    REQUESTS_RECEIVED_SYNDROMES,
    /** Ranges that differed from a peer's and whose record its syndromes named. */
    DIFFERENCES_LOCATED,
    /** Ranges that differed from a peer's and whose records a scan compared. */
    DIFFERENCES_SCANNED,
    /** Records of peers that were compared with the local ones. */
    COMPARED_RECORDS,
    /** Records pushed to peers by anti-entropy. */
    REPLICATED_RECORDS_PUSHED,
    /** Records pulled from peers by anti-entropy. */
    REPLICATED_RECORDS_PULLED,
    /** Records handed over to the servers where they are placed now. */
    REPLICATED_RECORDS_HANDED_OVER,
    /** Records, or parts of them, dropped because they were deleted elsewhere while this server was down. */
    OUTDATED_RECORDS,
    /** Hints that their servers hold now. */
    HINTS_REPLAYED
}
