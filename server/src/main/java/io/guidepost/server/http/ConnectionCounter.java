package io.guidepost.server.http;

/** What happens at the connections of a door, one row each. */
public enum ConnectionCounter {
    /** Connections that were accepted. */
    CONNECTIONS_ACCEPTED,
    /** Connections that ended, for whatever reason. */
    CONNECTIONS_ENDED,
    /** Connections closed at once, as there were too many. */
    CONNECTIONS_ABORTED_CONNECTIONS_MAX,
    /** Times that no connection could be accepted, as the process had no file number or no memory left. */
    FAILED_ACCEPTS,
    /** Connections closed because the rest of a message did not come in time. */
    CONNECTIONS_ABORTED_SLOW_SENDER,
    /** Connections closed because nothing was sent for too long. */
    CONNECTIONS_ABORTED_IDLE,
    /** Connections closed because the answer was not taken in time. */
    CONNECTIONS_ABORTED_SLOW_RECEIVER,
    /** Messages and requests that were longer than allowed. */
    REQUESTS_REFUSED_TOO_LONG,
    /** Messages cut off by the end of a connection, and requests that are no HTTP. */
    REQUESTS_REFUSED_MALFORMED,
    /** Requests that were told that the server is busy. */
    REQUESTS_REFUSED_BUSY,
    /** Requests that wait for something to happen and were told that there are too many of them. */
    REQUESTS_REFUSED_STREAMS_MAX,
    /** Answers that were ended because the client had gone. */
    ABORTED_STREAMS,
    /** Requests answered without waiting for anything. */
    REQUESTS_AT_ONCE,
    /** Connections whose TLS did not come about. */
    CONNECTIONS_ABORTED_TLS,
    /** Connections that were cut off by the other side in the midst of an answer. */
    CONNECTIONS_ABORTED_BY_PEER,
    /** Faults of the server itself while it answered. */
    CONNECTION_FAULTS
}
