package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.quorum.QuorumLimits;

/**
 * Bounds of relayed look-ups, each with its reason. What an operator may change stands in {@link ReplicationSettings}, what
 * a simulation may in {@link io.guidepost.gnrs.peer.PeerBounds}.
 */
final class RelayLimits {
    /** Look-ups that wait for one record: each has a slot among those of the worker, so this is only a fence. */
    static final int WAITERS_MAX = 1 << 16;

    /**
     * The least number of requests in flight, whatever the operator sets: those of a few clients to all their servers.
     */
    static final int QUESTIONS_MIN = 4 * QuorumLimits.SERVERS_MAX;

    /** The shortest timeout of a request while other replicas are left: a busy server may take that long. */
    static final long PATIENCE_NANOS_MIN = 30_000_000L;

    /**
     * Such a request waits this multiple of the peer's 95th percentile; a hedged request comes after this part of the
     * timeout where that is unknown.
     */
    static final int PATIENCE = 4;

    /** One in this many fetches begins with a server of unknown latency, so that all come to be measured. */
    static final int EXPLORE = 8;

    /**
     * How long a caching peer is recorded, ms; one that caches longer is not told, and keeps the record for its TTL.
     */
    static final long INTEREST_MILLIS_MAX = 3_600_000;

    private RelayLimits() {}
}
