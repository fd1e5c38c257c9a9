package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;

/** Bounds of catching up that no configuration moves, each with its reason. */
public final class SyncLimits {
    /** How long it is waited for the pace of questions to allow several: each that waits looks again. */
    public static final long CROWD_NANOS = 50_000_000L;

    /** Questions that may be open: so many answers of a few hundred bytes fit a socket's buffer. */
    public static final int QUESTIONS_MAX = 512;

    /** Of these, changes pushed and records pulled: leaves room for comparing and for asking who is there. */
    public static final int FIXES_MAX = 256;

    /** Batches of one sweep that may be compared at a time. */
    public static final int BATCHES_MAX = 32;

    /** Records that may be on their way to the servers that keep them now: each is held in memory meanwhile. */
    public static final int HANDOVERS_MAX = 64;

    /** Hints that may be on their way to one server. */
    public static final int HINTS_MAX = 32;

    /** Bytes of one COMPARE: fits a datagram of the smallest MTU that IPv6 allows. */
    static final int COMPARE_BYTES = 1200;

    /** GUIDs of one COMPARE. */
    public static final int COMPARE_MAX = (COMPARE_BYTES - PeerWire.HEADER_BYTES - 4 - PeerWire.SEAL_BYTES) / 28;

    /** Ranges of one DIGESTS: half of all, so that it fits the same datagram. */
    public static final int DIGESTS_MAX = DigestRanges.COUNT / 2;

    /** Records read by one step: some milliseconds of a disk. */
    public static final int PIECE_RECORDS = 1024;

    /** Servers asked in a second whether they are there; with thousands of servers each is asked more seldom. */
    public static final int PINGS_PER_SECOND_MAX = 200;

    /**
     * How long a range must differ until records are looked at: a write reaches the servers one after the other, and
     * differs meanwhile.
     */
    public static final long CONFIRM_NANOS = 1_000_000_000L;

    /** How long something that failed is left alone. */
    public static final long RETRY_NANOS = 1_000_000_000L;

    /** How often one batch is compared before the other server is given up for this sweep. */
    public static final int ATTEMPTS_MAX = 3;

    /** How often it is written down that this server is alive. */
    public static final long MARK_NANOS = 60_000_000_000L;

    /** How long the catching up rests at most: it looks whether tables or members have changed. */
    public static final long REST_NANOS = 1_000_000_000L;

    /** Time between two looks at all servers: with thousands of them one takes a millisecond. */
    public static final long WALK_NANOS = 20_000_000L;

    /** What may be sent at once after a rest, as a share of a second's bytes. */
    public static final int BURST_SHARE = 10;

    private SyncLimits() {}
}
