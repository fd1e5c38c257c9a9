package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;

/** Bounds of anti-entropy that no configuration changes, each with its reason. */
public final class SyncLimits {
    /** Delay until peers that the rate limit holds back are looked at again: long enough to admit several. */
    public static final long CROWD_NANOS = 50_000_000L;

    /** Requests in flight: that many responses of a few hundred bytes fit a socket's buffer. */
    public static final int QUESTIONS_MAX = 512;

    /** Of these, records pushed and pulled: leaves room for comparisons and pings. */
    public static final int FIXES_MAX = 256;

    /** Batches of one scan that may be compared at a time. */
    public static final int BATCHES_MAX = 32;

    /** Records in flight to the peers that keep them now: each is held in memory meanwhile. */
    public static final int HANDOVERS_MAX = 64;

    /** Hints in flight to one peer. */
    public static final int HINTS_MAX = 32;

    /** Bytes of one COMPARE: fits a datagram of the smallest MTU that IPv6 allows. */
    static final int COMPARE_BYTES = 1200;

    /** GUIDs of one COMPARE. */
    public static final int COMPARE_MAX = (COMPARE_BYTES - PeerWire.HEADER_BYTES - 4 - PeerWire.SEAL_BYTES) / 28;

    /** Ranges of one DIGESTS: half of all, so that it fits the same datagram. */
    public static final int DIGESTS_MAX = DigestRanges.COUNT / 2;

    /** Records read by one step: a disk takes some milliseconds. */
    public static final int PIECE_RECORDS = 1024;

    /** Pings in a second; with thousands of peers each is pinged more seldom. */
    public static final int PINGS_PER_SECOND_MAX = 200;

    /**
     * Time that a range must differ until its records are compared: a write reaches the servers one after the other,
     * and differs meanwhile.
     */
    public static final long CONFIRM_NANOS = 1_000_000_000L;

    /** Delay before a retry after a failure. */
    public static final long RETRY_NANOS = 1_000_000_000L;

    /** Comparisons of one batch before the scan gives up on the peer. */
    public static final int ATTEMPTS_MAX = 3;

    /** Interval of the heartbeat mark. */
    public static final long MARK_NANOS = 60_000_000_000L;

    /** The longest rest of anti-entropy between checks for new tables or members. */
    public static final long REST_NANOS = 1_000_000_000L;

    /** Time between two walks over all peers, for each {@link #WALK_PEERS} of them: 25,000 take some milliseconds. */
    public static final long WALK_NANOS = 20_000_000L;

    /** See {@link #WALK_NANOS}. */
    public static final int WALK_PEERS = 256;

    /** Burst of the token bucket after a rest, as a fraction of a second's bytes. */
    public static final int BURST_SHARE = 10;

    private SyncLimits() {}
}
