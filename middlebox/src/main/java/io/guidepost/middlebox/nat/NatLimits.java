package io.guidepost.middlebox.nat;

/** Bounds and times of address translation, each with its reason. */
final class NatLimits {
    /** How long a mapping of UDP lasts without packets (RFC 4787, REQ-5: five minutes recommended, two at least). */
    static final long UDP_MILLIS = 300_000;

    /** How long one of an ICMP query lasts (RFC 5508, REQ-2: 60 seconds at least). */
    static final long ICMP_MILLIS = 60_000;

    /** How long one of an established TCP connection lasts (RFC 5382, REQ-5: 2 hours and 4 minutes at least). */
    static final long TCP_MILLIS = 7_440_000;

    /** How long one of a TCP connection lasts that opens or closes (RFC 5382, REQ-5: 4 minutes at least). */
    static final long TCP_TRANSITORY_MILLIS = 240_000;

    /** Mappings that a turn looks at to end those that are over: all of them some hundred times in a second. */
    static final int SWEEP = 64;

    /** Ports that are tried for a new mapping, from one chosen by chance: more would let a flood cost too much. */
    static final int PORT_TRIES = 4096;

    /** Fragmented packets whose later parts are expected, a power of two. */
    static final int FRAGMENTED = 1024;

    /** How long they are: senders do not use an identification again sooner (RFC 6864 section 4.3). */
    static final long FRAGMENT_MILLIS = 15_000;

    /** Peers that mappings have spoken to, for filtering by address; a power of two. */
    static final int PEERS = 1 << 18;

    private NatLimits() {}
}
