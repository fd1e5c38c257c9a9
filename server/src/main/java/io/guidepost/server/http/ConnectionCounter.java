package io.guidepost.server.http;

/** What happens at the connections of a door, one row each. */
public enum ConnectionCounter {
    /** Connections that were accepted. */
    ACCEPTED,
    /** Connections that ended, for whatever reason. */
    ENDED,
    /** Connections closed at once, as there were too many. */
    REFUSED,
    /** Times that no connection could be accepted, as the process had no file number or no memory left. */
    NOT_ACCEPTED,
    /** Connections closed because the rest of a message did not come in time. */
    SLOW_SENDER,
    /** Connections closed because nothing was sent for too long. */
    IDLE,
    /** Connections closed because the answer was not taken in time. */
    SLOW_RECEIVER,
    /** Messages and requests that were longer than allowed. */
    TOO_LONG,
    /** Messages cut off by the end of a connection, and requests that are no HTTP. */
    MALFORMED,
    /** Requests that were told that the server is busy. */
    BUSY,
    /** Requests that wait for something to happen and were told that there are too many of them. */
    LASTING_REFUSED,
    /** Answers that were ended because the client had gone. */
    LASTING_GONE,
    /** Requests answered without waiting for anything. */
    QUICK,
    /** Connections whose TLS did not come about. */
    TLS_FAILED,
    /** Connections that were cut off by the other side in the midst of an answer. */
    CUT_OFF,
    /** Faults of the server itself while it answered. */
    FAULTS
}
