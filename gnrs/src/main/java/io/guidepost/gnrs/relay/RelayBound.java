package io.guidepost.gnrs.relay;

/** The bounds of what one relay holds, see {@link Relay#held} and {@link Relay#hits}. */
public enum RelayBound {
    /** Requests to peers in flight. */
    REQUESTS,
    /** Bytes of cached records of peers. */
    CACHE_BYTES,
    /** Bytes of hints, of all workers of the server together. */
    HINT_BYTES,
    /** Clients' writes that wait for servers. */
    WRITES,
    /** Writes of one GUID that wait for the one in flight. */
    WRITES_OF_A_NAME,
    /** Writes in the duplicate-request cache. */
    DUPLICATE_REQUESTS,
    /** GUIDs whose caching peers are recorded. */
    CACHED_NAMES,
    /** Caching peers of one of them. */
    CACHING_PEERS,
    /** FORGET messages that wait to be sent. */
    FORGETS,
    /** Messages of other threads that wait. */
    MAILBOX,
    /** Changes of peers that wait for the disk. */
    MERGES
}
