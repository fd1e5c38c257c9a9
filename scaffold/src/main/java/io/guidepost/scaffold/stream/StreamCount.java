package io.guidepost.scaffold.stream;

/** What a host counts of its streams. */
public enum StreamCount {
    /** Streams that this host has opened. */
    STREAMS_CONNECTED,
    /** Streams that were opened to this host. */
    STREAMS_SERVED,
    /** TCP connections that took the place of one that broke. */
    STREAMS_RESUMED,
    /** Streams that went on at another instance. */
    STREAMS_CONTINUED,
    /** Streams that ended with an error. */
    STREAMS_RESET,
    /** Connections over a bound of those half open, of all, or of those that await the program. */
    DROPS_TOO_MANY,
    /** Connections that did not say in time, or in a way that is right, what they want. */
    DROPS_MALFORMED,
    /** Handshakes whose seal, delegation or continuation is wrong. */
    DROPS_SEAL,
    /** Handshakes of hosts that are not allowed. */
    DROPS_NOT_ALLOWED,
    /** Handshakes over the rate of new hosts. */
    DROPS_ASSOCIATION_RATE,
    /** Requests of SOCKS that were refused. */
    SOCKS_REFUSED
}
