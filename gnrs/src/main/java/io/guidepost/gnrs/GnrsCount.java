package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsParseResult;

/** What a GNRS door counts, besides the {@link GnrsParseResult}s of malformed messages. Metrics and console show these names. */
public enum GnrsCount {
    /** Datagrams taken. */
    DATAGRAMS,
    /** Bytes of datagrams taken. */
    BYTES_IN,
    /** Bytes of answers given. */
    BYTES_OUT,
    /** Messages that came behind another one in the same datagram. */
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
    /** Look-ups of a name that is kept here and bound to nothing. */
    LOOKUPS_EMPTY,
    /** Look-ups of a name that is neither stored nor placed here: FAILED. */
    LOOKUPS_ELSEWHERE,
    /** Look-ups that had to ask the engine, because the index did not know. */
    LOOKUPS_DEFERRED,
    /** Look-ups that should have asked the engine while too many others did: FAILED. */
    LOOKUPS_DEFERRED_MAX,
    /** Look-ups that the engine could not answer: FAILED. */
    LOOKUPS_ENGINE_FAILED,
    /** Look-ups for which other servers were asked. */
    LOOKUPS_RELAYED,
    /** Look-ups answered without asking, though the name is not stored here: other servers said it before. */
    LOOKUPS_REMEMBERED,
    /** Look-ups that should have asked other servers while too many others did: FAILED. */
    LOOKUPS_RELAYS_MAX,
    /** Look-ups to which too few of the servers that keep the name answered in time: FAILED. */
    LOOKUPS_RELAYS_FAILED,
    /** Answers that leave bindings or their times out, and say so with PARTIAL. */
    ANSWERS_PARTIAL,
    /** Answers whose places were put in order, nearest first. */
    ANSWERS_ORDERED,
    /** Answers cut because they would be larger than an unproven address may be sent. */
    ANSWERS_AMPLIFICATION_MAX,

    /** Look-ups for which links were followed. */
    CHAINS,
    /** Look-ups that met a link back to a name on the way. */
    CHAIN_LOOPS,
    /** Look-ups with links deeper than is followed. */
    CHAIN_DEPTH_MAX,
    /** Look-ups with more links than are followed for one question. */
    CHAIN_LOOKS_MAX,
    /** Look-ups whose links lead to more bindings than are looked at for one question. */
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
    /** Writes refused because too many of this worker were under way: FAILED. */
    WRITES_IN_FLIGHT_MAX,
    /** Writes refused because too many waited for other servers: FAILED. */
    WRITES_RELAYS_MAX,
    /** Writes refused because the queue of the store was full: FAILED. */
    WRITES_QUEUE_FULL,
    /** Writes that the disk or the engine refused: FAILED. */
    WRITES_STORE_FAILED,
    /** Writes that too few of the servers that keep the name confirmed in time: FAILED; they may yet take effect. */
    WRITES_QUORUM,

    /** Requests refused because their network has its share of what may be under way: FAILED. */
    QUOTA_SOURCE,
    /** Writes refused because their name has its share of what may be under way: FAILED. */
    QUOTA_NAME,

    /** Messages dropped as malformed; the reasons are counted apart. */
    DROPPED_MALFORMED,
    /** Responses that came unasked, dropped: only requests are answered. */
    DROPPED_RESPONSE,
    /** Requests dropped because they ask for the answer to be sent to another host. */
    DROPPED_FOREIGN_ORIGIN,
    /** Messages dropped because too many came behind others in their datagrams. */
    DROPPED_BACKLOG_MAX,
    /** Requests dropped because the room for the answer was too small for any. */
    DROPPED_NO_ROOM
}
