package io.guidepost.alto.proxidor;

/**
 * Counters of a Proxidor door, named as metrics show them: RESPONSES_FORMAT is
 * {@code guidepost_proxidor_responses_total{code="format"}}. Every request ends as one response or one drop.
 */
public enum ProxidorCount {
    /** Datagrams received, requests or not. */
    REQUESTS,
    /** Responses with a ranked list. */
    RESPONSES_NO_ERROR,
    /** Responses to malformed requests; {@code guidepost_proxidor_malformed} counts the faults. */
    RESPONSES_FORMAT,
    /** Responses while no network is loaded. */
    RESPONSES_SERVER_FAILURE,
    /** Responses to sources whose attachment is unknown. */
    RESPONSES_UNKNOWN_SOURCE,
    /** Responses to requests of an unsupported version, service, category, opcode or list type. */
    RESPONSES_NOT_IMPLEMENTED,
    /** Datagrams too short for a response, or that are responses. */
    DROPS_MALFORMED,
    /** Requests for whose response the buffer was too short. */
    DROPS_NO_ROOM,
    /** Bytes received. */
    BYTES_RECEIVED,
    /** Bytes sent. */
    BYTES_SENT,
    /** Candidates whose place is known and reachable. */
    CANDIDATES_KNOWN,
    /** Unknown or unreachable candidates. */
    CANDIDATES_UNKNOWN,
    /** Requests of trusted proxies on behalf of a source. */
    PROXIED_REQUESTS,
    /** Requests of untrusted clients that name a source; ranked for the sender's address instead. */
    IGNORED_SOURCES
}
