package io.guidepost.middlebox.forward;

/** Bounds of forwarding, each with its reason. */
final class ForwardLimits {
    /** Ethernet addresses that a bridge remembers, a power of two: as many as larger switches. */
    static final int STATIONS = 1 << 15;

    /** Rows that an address may be in; more would make each look-up longer. */
    static final int STATION_PROBES = 8;

    /** How long an address is remembered (IEEE 802.1Q table 8-6). */
    static final int STATION_SECONDS = 300;

    /** Ports of one bridge or router: their number has 8 bits in the table of addresses. */
    static final int PORTS_MAX = 64;

    /** Lines of a routes file: the whole table of the Internet is about a million. */
    static final int ROUTES_MAX = 2_000_000;

    private ForwardLimits() {}
}
