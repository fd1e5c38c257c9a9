package io.guidepost.middlebox.balance;

/** Bounds of load balancing, each with its reason. */
final class BalancerLimits {
    /** Slots of the Maglev table: a prime, some hundred for each back end, so that shares differ by about 1 %. */
    static final int PLACES = 65_537;

    /** Back ends that one balancer may ever have had: each has at least a hundred slots (Maglev, section 5.3). */
    static final int BACK_ENDS_MAX = 512;

    /** Tracked connections, a power of two: 50 MB. */
    static final int CONNECTIONS = 1 << 20;

    /** Idle timeout of a tracked connection. */
    static final long CONNECTION_MILLIS = 300_000;

    /** Fragmented packets tracked for their later fragments, a power of two: 50 KB. */
    static final int FRAGMENTED = 1024;

    /** Lifetime of that state: senders do not reuse an identification sooner (RFC 6864 section 4.3). */
    static final long FRAGMENT_MILLIS = 15_000;

    /** Interval of health checks. */
    static final long PROBE_MILLIS = 1_000;

    /** A back end is down after this time without an answer: three health checks. */
    static final long DOWN_MILLIS = 3_500;

    private BalancerLimits() {}
}
