package io.guidepost.gnrs.quorum;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.peer.ReplicationSettings;

/**
 * Bounds of quorum writes, each with its reason. What an operator may change stands in {@link ReplicationSettings}, what a
 * simulation may in {@link io.guidepost.gnrs.peer.PeerBounds}.
 */
public final class QuorumLimits {
    /** Servers of one GUID: as many as there may be replicas. */
    public static final int SERVERS_MAX = 32;

    /**
     * Stamps that one write takes at most: each costs a round trip to all its servers, and two conflicts are bad luck.
     */
    static final int ROUNDS_MAX = 5;

    /** Bytes that one binding takes of a record: type, length, the longest place, two times and a stamp. */
    static final int BINDING_BYTES_MAX = 4 + CommonLimits.LOCATOR_BYTES_MAX + 3 * 8;

    /** Bytes of a message to a server of the first version: the Java one stops for good at 2,048. */
    static final int V1_MESSAGE_BYTES_MAX = 2040;

    /** Bindings of which a server of the first version can read the times: it reads the option's length as signed. */
    static final int V1_TIMED_BINDINGS_MAX = 15;

    /** How long a write stays in the duplicate-request cache: longer than networks duplicate and old clients retransmit. */
    static final long REPEAT_NANOS = 5_000_000_000L;

    /** The shortest retransmission timeout: a disk may take that long to sync. */
    static final long PATIENCE_NANOS_MIN = 50_000_000L;

    private QuorumLimits() {}
}
