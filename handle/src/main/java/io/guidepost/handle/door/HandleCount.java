package io.guidepost.handle.door;

/**
 * Counters of the Handle door's datagrams, named as metrics show them: REQUESTS_RESOLVE is
 * {@code guidepost_handle_udp_requests_total{type="resolve"}}. Every request ends as one drop or one
 * response; a list in several messages, as several.
 */
public enum HandleCount {
    /** Resolutions in one packet. */
    REQUESTS_RESOLVE,
    /** Messages of several packets, complete. */
    REQUESTS_FRAGMENTED,
    /** All other messages. */
    REQUESTS_OTHER,
    /** Responses out of the index: values found. */
    RESPONSES_INDEX_SUCCESS,
    /** Responses out of the index: the record has no such values. */
    RESPONSES_INDEX_VALUES_NOT_FOUND,
    /** Responses out of the index: there is no such handle. */
    RESPONSES_INDEX_HANDLE_NOT_FOUND,
    /** Responses out of the index: this server is not responsible for the prefix. */
    RESPONSES_INDEX_NOT_RESPONSIBLE,
    /** Responses of the service; {@code guidepost_handle_responses} counts their codes. */
    RESPONSES_SERVICE_ANY,
    /** Messages shorter than an envelope and a header, and no fragment. */
    DROPS_MALFORMED,
    /** A response without a request. Answering it could start an endless loop. */
    DROPS_RESPONSE,
    /** A retransmission of a pending request. */
    DROPS_REPEATED,
    /** The worker had too many pending requests. */
    DROPS_PENDING_MAX,
    /** A response of several packets, above the rate limit of the source network. */
    DROPS_RATE_LIMIT,
    /** A response of several packets, as the queue of fragments was full. */
    DROPS_FRAGMENT_QUEUE_FULL,
    /** Requests to which the service sent nothing: its error would have been longer than the request. */
    DROPS_AMPLIFICATION_MAX,
    /** The worker had no free packet. */
    DROPS_NO_ROOM,
    /** Requests that ended with an internal error. */
    DROPS_FAULT,
    /** Bytes received. */
    BYTES_RECEIVED,
    /** Bytes sent. */
    BYTES_SENT,
    /** Requests that the index cannot answer, submitted to the service. */
    SERVICE_REQUESTS,
    /** Responses sent in several packets. */
    FRAGMENTED_RESPONSES
}
