package io.guidepost.packet.admission;

/** Bounds of admission control, each with its reason. */
final class AdmissionLimits {
    /** Datagrams of one worker that wait for a later turn: what a worker answers in some milliseconds. */
    static final int PENDING_MAX = 1024;

    /** Bytes of those datagrams: all of ordinary length, and four of the longest. */
    static final int PENDING_BYTES_MAX = 1 << 18;

    /** Deferred datagrams that a worker handles in one turn; a datagram that arrives meanwhile waits for these. */
    static final int RELEASED_PER_TURN = 16;

    /**
     * How long datagrams in flood sockets wait at most when nothing else wakes the worker: of 100,000 in a second 20 are found
     * at once, for a tenth of the wake-ups that naps take, and a network that is there by mistake has lost little.
     */
    static final long FLOOD_REST_NANOS = 200_000;

    /** Datagrams of flood sockets in one turn: a datagram that arrives meanwhile waits for these; a train is as long. */
    static final int FLOOD_BURST = 8;

    /** Full bursts of a flood socket of which one renews its network: each takes a lock. */
    static final int RENEW_EACH = 64;

    /** How long a network stays in the flood sockets after the last overload by it. */
    static final long FLOOD_NANOS = 1_000_000_000;

    /** Time between two additions: each is a program that the kernel checks and compiles, some 50 us. */
    static final long FILTER_CHANGE_NANOS = 5_000_000;

    /** Networks in the flood sockets at once: the kernel takes programs of 4,096 instructions, and runs them for each packet. */
    static final int FLOOD_NETWORKS_MAX = 64;

    private AdmissionLimits() {}
}
