package io.guidepost.alto.proxidor;

/** Counters of a Proxidor door. Metrics show these names. */
public enum ProxidorCount {
    /** Datagrams received. */
    DATAGRAMS,
    /** Bytes received. */
    BYTES_IN,
    /** Bytes sent. */
    BYTES_OUT,
    /** Lists ranked and answered. */
    RANKED,
    /** Candidates of those lists. */
    CANDIDATES,
    /** Of those, unknown or unreachable candidates. */
    CANDIDATES_UNKNOWN,
    /** Requests of trusted proxies on behalf of a source. */
    FOR_ANOTHER,
    /** Requests of untrusted clients that name a source; ranked for the sender's address instead. */
    SOURCE_IGNORED,
    /** Responses UNKNOWN_SOURCE. */
    UNKNOWN_SOURCE,
    /** Responses SERVER_FAILURE: no network is loaded. */
    NOTHING_LOADED,
    /** Responses to invalid requests; the faults are counted apart. */
    REFUSED,
    /** Datagrams dropped as malformed, or as responses. */
    DROPPED_MALFORMED,
    /** Requests dropped as the buffer for the response is too short. */
    DROPPED_NO_ROOM
}
