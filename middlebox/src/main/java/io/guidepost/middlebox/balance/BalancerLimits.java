package io.guidepost.middlebox.balance;

/** Bounds of balancing, each with its reason. */
final class BalancerLimits {
    /** Places of the table of hashes: a prime, some hundred for each back end, so that shares differ by about 1 %. */
    static final int PLACES = 65_537;

    /** Back ends that one balancer may ever have had: each has at least a hundred places (Maglev, section 5.3). */
    static final int BACK_ENDS_MAX = 512;

    /** Connections that are remembered, a power of two: 50 MB. */
    static final int CONNECTIONS = 1 << 20;

    /** How long a connection is remembered without packets. */
    static final long CONNECTION_MILLIS = 300_000;

    /** Between two questions for a back end's health. */
    static final long PROBE_MILLIS = 1_000;

    /** A back end is down when it has not answered for so long: three questions. */
    static final long DOWN_MILLIS = 3_500;

    private BalancerLimits() {}
}
