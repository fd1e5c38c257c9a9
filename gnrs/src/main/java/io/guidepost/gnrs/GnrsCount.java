package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsParseResult;

/**
 * The counters of a GNRS door, besides the {@link GnrsParseResult}s of malformed messages. A name is that of a metric and
 * its labels: REQUESTS_LOOKUP is {@code guidepost_gnrs_requests_total{type="lookup"}}. Every request ends as one response
 * or one drop.
 */
public enum GnrsCount {
    /** LOOKUP requests. */
    REQUESTS_LOOKUP,
    /** INSERT requests. */
    REQUESTS_INSERT,
    /** UPDATE requests. */
    REQUESTS_UPDATE,
    /** Malformed messages, responses, and messages dropped before they are parsed. */
    REQUESTS_OTHER,

    /** Responses to LOOKUP that say SUCCESS. */
    RESPONSES_LOOKUP_SUCCESS,
    /** Responses to LOOKUP that say FAILED. */
    RESPONSES_LOOKUP_FAILED,
    /** Responses to INSERT that say SUCCESS. */
    RESPONSES_INSERT_SUCCESS,
    /** Responses to INSERT that say FAILED. */
    RESPONSES_INSERT_FAILED,
    /** Responses to UPDATE that say SUCCESS. */
    RESPONSES_UPDATE_SUCCESS,
    /** Responses to UPDATE that say FAILED. */
    RESPONSES_UPDATE_FAILED,

    /** Malformed messages; {@code guidepost_gnrs_malformed} counts the reasons. */
    DROPS_MALFORMED,
    /** Unsolicited responses: a door answers requests alone. */
    DROPS_RESPONSE,
    /** Requests that name another host as the destination of the response. */
    DROPS_FOREIGN_ORIGIN,
    /** Messages of datagrams with several, as too many of them waited. */
    DROPS_BACKLOG_MAX,
    /** Requests for whose response the buffer was too small. */
    DROPS_NO_ROOM,
    /** Writes refused for lack of room, as too many refusals waited to be answered. */
    DROPS_REFUSALS_MAX,

    /** Bytes of datagrams received. */
    BYTES_RECEIVED,
    /** Bytes of datagrams sent. */
    BYTES_SENT,

    /** Messages that followed another one in the same datagram. */
    CONCATENATED_MESSAGES,

    /** Look-ups answered with bindings. */
    LOOKUPS_FOUND,
    /** Look-ups of a name that this server keeps and that has no bindings. */
    LOOKUPS_EMPTY,
    /** Look-ups of a name that is neither stored nor placed here: FAILED. */
    LOOKUPS_ELSEWHERE,
    /** Look-ups refused because too many waited for the storage engine: FAILED. */
    LOOKUPS_ENGINE_MAX,
    /** Look-ups that the engine could not answer: FAILED. */
    LOOKUPS_ENGINE_FAILED,
    /** Look-ups refused because too many waited for other servers: FAILED. */
    LOOKUPS_PEERS_MAX,
    /** Look-ups to which too few of the servers that keep the name answered in time: FAILED. */
    LOOKUPS_PEERS_FAILED,
    /** Look-ups refused because their source network had used its quota of requests in flight: FAILED. */
    LOOKUPS_SOURCE_QUOTA,

    /** Look-ups that went to the storage engine, because the index did not know. */
    LOOKUP_WAITS_ENGINE,
    /** Look-ups for which other servers were queried. */
    LOOKUP_WAITS_PEERS,
    /** Look-ups answered from the cache of other servers' answers. */
    CACHE_HITS,

    /** Responses that omit bindings or their times and say so with PARTIAL. */
    PARTIAL_RESPONSES,
    /** Responses whose places were put in order, nearest first. */
    ORDERED_RESPONSES,
    /** Responses truncated by the amplification bound for unproven addresses. */
    TRUNCATED_RESPONSES,

    /** Look-ups for which links were followed. */
    ALIAS_CHAINS,
    /** Look-ups that met a loop of links. */
    ALIAS_CHAINS_CUT_LOOP,
    /** Look-ups with links nested deeper than the bound. */
    ALIAS_CHAINS_CUT_DEPTH_MAX,
    /** Look-ups with more links than the bound for one request. */
    ALIAS_CHAINS_CUT_LINKS_MAX,
    /** Look-ups whose links lead to more bindings than the bound for one request. */
    ALIAS_CHAINS_CUT_BINDINGS_MAX,

    /** Writes that the store made durable, or that changed nothing. */
    WRITES_DONE,
    /** Writes of clients that {@code gnrs.writers} does not name: FAILED. */
    WRITES_NOT_PERMITTED,
    /** Writes that would let a source network hold more names or bytes than its quota: FAILED. */
    WRITES_WRITER_QUOTA,
    /** Writes of names that are placed at other servers: FAILED. */
    WRITES_ELSEWHERE,
    /** Writes that would bind a name to more places than configured: FAILED. */
    WRITES_BINDINGS_MAX,
    /** Writes that would make a record larger than the store takes: FAILED. */
    WRITES_RECORD_BYTES_MAX,
    /** Writes with a text that is not that of their GUID, or with malformed attributes: FAILED. */
    WRITES_NAME_MISMATCH,
    /** Writes of a record that is made from one of another door, and is changed there: FAILED. */
    WRITES_DERIVED,
    /** Writes refused because too many writes of this worker were in flight: FAILED. */
    WRITES_IN_FLIGHT_MAX,
    /** Writes refused because too many waited for other servers: FAILED. */
    WRITES_PEERS_MAX,
    /** Writes refused because the queue of the store was full: FAILED. */
    WRITES_QUEUE_FULL,
    /** Writes that the disk or the engine refused: FAILED. */
    WRITES_STORE_FAILED,
    /** Writes that too few of the servers that keep the name confirmed in time: FAILED; they may yet take effect. */
    WRITES_QUORUM_FAILED,
    /** Writes refused because their source network had used its quota of requests in flight: FAILED. */
    WRITES_SOURCE_QUOTA,
    /** Writes refused because their name had used its quota of writes in flight: FAILED. */
    WRITES_NAME_QUOTA
}
