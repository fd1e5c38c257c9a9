package io.guidepost.middlebox.forward;

/** Bounds of forwarding, each with its reason. */
final class ForwardLimits {
    /** Entries of a bridge's MAC table, a power of two: as many as in larger switches. */
    static final int STATIONS = 1 << 15;

    /** Ageing time of an address (IEEE 802.1Q table 8-6). */
    static final long STATION_MILLIS = 300_000;

    /** Ports of one bridge or router: as many as larger switches have. */
    static final int PORTS_MAX = 64;

    /** Lines of a routes file: the Internet's full table is about a million. */
    static final int ROUTES_MAX = 2_000_000;

    private ForwardLimits() {}
}
