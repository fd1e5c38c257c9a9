package io.guidepost.gnrs.quorum;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.peer.ReplicationSettings;

/** Bounds of quorum writes, each with its reason. What an operator may change stands in {@link ReplicationSettings}. */
public final class QuorumLimits {
    /** Servers of one GUID: as many as there may be replicas. */
    public static final int SERVERS_MAX = 32;

    /**
     * Stamps that one write takes at most: each costs a round trip to all its servers, and two conflicts are bad luck.
     */
    static final int ROUNDS_MAX = 5;

    /** Writes of one GUID that wait for the one in flight: a flood of one name must not exhaust the table. */
    static final int WAITING_PER_NAME_MAX = 256;

    /** Bytes that one binding takes of a record: type, length, the longest place, two times and a stamp. */
    static final int BINDING_BYTES_MAX = 4 + CommonLimits.LOCATOR_BYTES_MAX + 3 * 8;

    /** Bytes of a message to a server of the first version: the Java one stops for good at 2,048. */
    static final int V1_MESSAGE_BYTES_MAX = 2040;

    /** Bindings of which a server of the first version can read the times: it reads the option's length as signed. */
    static final int V1_TIMED_BINDINGS_MAX = 15;

    /** Writes of one worker in the duplicate-request cache: some 4 MB. */
    static final int REPEATS_MAX = 1 << 16;

    /** How long a write stays there: longer than networks duplicate and old clients retransmit. */
    static final long REPEAT_NANOS = 5_000_000_000L;

    /** The shortest retransmission timeout: a disk may take that long to sync. */
    static final long PATIENCE_NANOS_MIN = 50_000_000L;

    private QuorumLimits() {}
}
