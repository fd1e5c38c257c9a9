package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsParseResult;

/**
 * The counters of a GNRS door, besides the {@link GnrsParseResult}s of malformed messages. Metrics and console show these names.
 */
public enum GnrsCount {
    /** Datagrams taken. */
    DATAGRAMS,
    /** Bytes of datagrams taken. */
    BYTES_IN,
    /** Bytes of answers given. */
    BYTES_OUT,
    /** Messages that followed another one in the same datagram. */
    MESSAGES_CONCATENATED,

    /** LOOKUP requests. */
    LOOKUPS,
    /** INSERT requests. */
    INSERTS,
    /** UPDATE requests. */
    UPDATES,

    /** Answers that say SUCCESS. */
    ANSWERS_SUCCESS,
    /** Answers that say FAILED. */
    ANSWERS_FAILED,
    /** Look-ups answered with bindings. */
    LOOKUPS_FOUND,
    /** Look-ups of a name that this server keeps and that has no bindings. */
    LOOKUPS_EMPTY,
    /** Look-ups of a name that is neither stored nor placed here: FAILED. */
    LOOKUPS_ELSEWHERE,
    /** Look-ups that went to the storage engine, because the index did not know. */
    LOOKUPS_DEFERRED,
    /** Look-ups refused because the pool of deferred look-ups was exhausted: FAILED. */
    LOOKUPS_DEFERRED_MAX,
    /** Look-ups that the engine could not answer: FAILED. */
    LOOKUPS_ENGINE_FAILED,
    /** Look-ups for which other servers were queried. */
    LOOKUPS_RELAYED,
    /** Look-ups answered from the cache of other servers' answers. */
    LOOKUPS_REMEMBERED,
    /** Look-ups refused because too many already wait for other servers: FAILED. */
    LOOKUPS_RELAYS_MAX,
    /** Look-ups to which too few of the servers that keep the name answered in time: FAILED. */
    LOOKUPS_RELAYS_FAILED,
    /** Answers that omit bindings or their times and say so with PARTIAL. */
    ANSWERS_PARTIAL,
    /** Answers whose places were put in order, nearest first. */
    ANSWERS_ORDERED,
    /** Answers truncated by the amplification bound for unproven addresses. */
    ANSWERS_AMPLIFICATION_MAX,

    /** Look-ups for which links were followed. */
    CHAINS,
    /** Look-ups that met a loop of links. */
    CHAIN_LOOPS,
    /** Look-ups with links nested deeper than the bound. */
    CHAIN_DEPTH_MAX,
    /** Look-ups with more links than the bound for one request. */
    CHAIN_LOOKS_MAX,
    /** Look-ups whose links lead to more bindings than the bound for one request. */
    CHAIN_BINDINGS_MAX,

    /** Writes that the store made durable, or that changed nothing. */
    WRITES_DONE,
    /** Writes of names that are placed at other servers: FAILED. */
    WRITES_ELSEWHERE,
    /** Writes that would bind a name to more places than configured: FAILED. */
    WRITES_BINDINGS_MAX,
    /** Writes that would make a record larger than the store takes: FAILED. */
    WRITES_RECORD_BYTES_MAX,
    /** Writes of a record that is made from one of another door, and is changed there: FAILED. */
    WRITES_DERIVED,
    /** Writes refused because too many writes of this worker were in flight: FAILED. */
    WRITES_IN_FLIGHT_MAX,
    /** Writes refused because too many waited for other servers: FAILED. */
    WRITES_RELAYS_MAX,
    /** Writes refused because the queue of the store was full: FAILED. */
    WRITES_QUEUE_FULL,
    /** Writes that the disk or the engine refused: FAILED. */
    WRITES_STORE_FAILED,
    /** Writes that too few of the servers that keep the name confirmed in time: FAILED; they may yet take effect. */
    WRITES_QUORUM,

    /** Requests refused because their source network has used its quota of requests in flight: FAILED. */
    QUOTA_SOURCE,
    /** Writes refused because their name has used its quota of writes in flight: FAILED. */
    QUOTA_NAME,

    /** Messages dropped as malformed; the reasons are counted apart. */
    DROPPED_MALFORMED,
    /** Unsolicited responses, dropped: a door answers requests alone. */
    DROPPED_RESPONSE,
    /** Requests dropped because they name another host as the destination of the response. */
    DROPPED_FOREIGN_ORIGIN,
    /** Messages dropped because too many followed others in their datagrams. */
    DROPPED_BACKLOG_MAX,
    /** Requests dropped because the buffer for the response was too small for any. */
    DROPPED_NO_ROOM
}
