package io.guidepost.server.fleet;

/** Counters of what front ends tell each other. */
public enum FrontEndCount {
    /** Datagrams to other front ends, each of a record that this one wrote. */
    INVALIDATIONS_SENT,
    /** Datagrams of other front ends, each of a record that one of them wrote. */
    INVALIDATIONS_RECEIVED,
    /** Datagrams that no front end sends. */
    DROPS_MALFORMED,
    /** Datagrams without a seal by this server's key. */
    DROPS_SEAL,
    /** Datagrams to a front end that the system would not send: there is no way to it, or no memory. */
    DROPS_UNSENT
}
