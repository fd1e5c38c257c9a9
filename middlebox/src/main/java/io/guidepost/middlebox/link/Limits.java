package io.guidepost.middlebox.link;

/** Bounds of links, each with its reason. */
final class Limits {
    /** Neighbours that are remembered, a power of two: several full /24 networks. */
    static final int NEIGHBOURS = 4096;

    /** How long a neighbour is used without a question, as Linux does. */
    static final long NEIGHBOUR_FRESH_MILLIS = 30_000;

    /** How long it is used at all while it does not answer. */
    static final long NEIGHBOUR_USED_MILLIS = 120_000;

    /** Between two questions for one neighbour (RFC 1122 section 2.3.2.1). */
    static final long ASK_MILLIS = 1_000;

    /** How long a frame waits for its next hop's answer: three questions. */
    static final long WAIT_MILLIS = 3_000;

    /** Errors by ICMP in a second, of all workers together (RFC 1812 section 4.3.2.8 and RFC 4443 section 2.4 ask for one). */
    static final int ERRORS_PER_SECOND = 100;

    /** Bytes of an error by ICMP, IP header included (RFC 1812 section 4.3.2.3). */
    static final int ERROR_BYTES_MAX = 576;

    /** Bytes of an error by ICMPv6, IP header included (RFC 4443 section 2.4). */
    static final int ERROR_BYTES_MAX_IPV6 = 1280;

    /** How soon a worker looks again whether another has learnt what its frames wait for. */
    static final long LOOK_NANOS = 1_000_000;

    private Limits() {}
}
