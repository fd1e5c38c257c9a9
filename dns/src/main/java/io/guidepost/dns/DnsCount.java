package io.guidepost.dns;

/**
 * Counters of a DNS door, named as metrics show them: RESPONSES_REFUSED is {@code guidepost_dns_responses_total{code="refused"}}.
 * Every request ends as one response or one drop.
 */
public enum DnsCount {
    /** Datagrams received, requests or not. */
    REQUESTS_UDP,
    /** Messages over TCP, those for transfers included. */
    REQUESTS_TCP,
    /** Responses with records. */
    RESPONSES_NO_ERROR,
    /** Responses that the name is there, and has no record of the type. */
    RESPONSES_NO_DATA,
    /** Responses that there is no such name. */
    RESPONSES_NX_DOMAIN,
    /** Responses to requests outside of the zone, of another class, or for a transfer that is not permitted. */
    RESPONSES_REFUSED,
    /** Responses to malformed requests; {@code guidepost_dns_malformed} counts the faults. */
    RESPONSES_FORMAT_ERROR,
    /** Responses to an opcode other than QUERY. */
    RESPONSES_NOT_IMPLEMENTED,
    /** Responses that the record could not be read, or that the servers which keep it do not answer. */
    RESPONSES_SERVER_FAILURE,
    /** Responses to an unknown version of EDNS. */
    RESPONSES_BAD_VERSION,
    /** Datagrams too short for a response, or that are responses. */
    DROPS_MALFORMED,
    /** Requests for whose response the buffer was too short. */
    DROPS_NO_ROOM,
    /** Bytes received. */
    BYTES_RECEIVED,
    /** Bytes sent. */
    BYTES_SENT,
    /** Responses with TC because they were longer than the client takes. */
    TRUNCATED_RESPONSES_SIZE,
    /** Responses with TC because the client's address is unproven, and they were longer than the bound. */
    TRUNCATED_RESPONSES_AMPLIFICATION,
    /** Responses whose places were put in order, nearest first. */
    ORDERED_RESPONSES,
    /** Requests with a client subnet, which were ranked for it. */
    CLIENT_SUBNETS,
    /** Requests whose cookie proves their address. */
    PROVEN_REQUESTS,
    /** Look-ups of names that other servers keep. */
    LOOKUP_WAITS_SERVERS,
    /** Look-ups that waited for the disk. */
    LOOKUP_WAITS_ENGINE,
    /** Look-ups answered SERVFAIL, as too many waited. */
    LOOKUP_WAITS_REFUSED
}
