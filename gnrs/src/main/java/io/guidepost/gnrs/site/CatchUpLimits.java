package io.guidepost.gnrs.site;

/** Bounds of catching up that no configuration moves, each with its reason. */
final class CatchUpLimits {
    /** How long it is waited for the pace of questions to allow several: each that waits looks again. */
    static final long CROWD_NANOS = 50_000_000L;

    /** Questions that may be open: so many answers of a few hundred bytes fit a socket's buffer. */
    static final int QUESTIONS_MAX = 512;

    /** Of these, changes pushed and records pulled: leaves room for comparing and for asking who is there. */
    static final int FIXES_MAX = 256;

    /** Batches of one sweep that may be compared at a time. */
    static final int BATCHES_MAX = 32;

    /** Records that may be on their way to the servers that keep them now: each is held in memory meanwhile. */
    static final int HANDOVERS_MAX = 64;

    /** Hints that may be on their way to one server. */
    static final int HINTS_MAX = 32;

    /** Bytes of one COMPARE: fits a datagram of the smallest MTU that IPv6 allows. */
    static final int COMPARE_BYTES = 1200;

    /** GUIDs of one COMPARE. */
    static final int COMPARE_MAX = (COMPARE_BYTES - SiteWire.HEADER_BYTES - 4 - SiteWire.SEAL_BYTES) / 28;

    /** Ranges of one DIGESTS: half of all, so that it fits the same datagram. */
    static final int DIGESTS_MAX = Ranges.COUNT / 2;

    /** Records read by one step: some milliseconds of a disk. */
    static final int PIECE_RECORDS = 1024;

    /** Servers asked in a second whether they are there; with thousands of servers each is asked more seldom. */
    static final int PINGS_PER_SECOND_MAX = 200;

    /**
     * How long a range must differ until records are looked at: a write reaches the servers one after the other, and
     * differs meanwhile.
     */
    static final long CONFIRM_NANOS = 1_000_000_000L;

    /** How long something that failed is left alone. */
    static final long RETRY_NANOS = 1_000_000_000L;

    /** How often one batch is compared before the other server is given up for this sweep. */
    static final int ATTEMPTS_MAX = 3;

    /** How often it is written down that this server is alive. */
    static final long MARK_NANOS = 60_000_000_000L;

    /** How long the catching up rests at most: it looks whether tables or members have changed. */
    static final long REST_NANOS = 1_000_000_000L;

    /** Time between two looks at all servers: with thousands of them one takes a millisecond. */
    static final long WALK_NANOS = 20_000_000L;

    /** What may be sent at once after a rest, as a share of a second's bytes. */
    static final int BURST_SHARE = 10;

    private CatchUpLimits() {}
}
