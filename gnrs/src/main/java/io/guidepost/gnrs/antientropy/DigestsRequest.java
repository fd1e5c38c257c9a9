package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.SyncLimits;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** DIGESTS: exchanges the digests of half of all ranges with a peer. */
abstract class DigestsRequest extends PeerRequest {
    static final int BYTES = PeerWire.HEADER_BYTES + PeerWire.DIGESTS_AT + 8 * SyncLimits.DIGESTS_MAX;

    private final @Nullable Peer own;
    private final long fingerprint;
    private final int first;
    private final long[] ours;

    /** Creates the request for the ranges from {@code first} on; {@code ours} are the digests of all ranges. */
    DigestsRequest(Peer peer, @Nullable Peer own, long fingerprint, int first, long[] ours) {
        super(peer);
        this.own = own;
        this.fingerprint = fingerprint;
        this.first = first;
        this.ours = ours;
    }

    abstract void otherTables();

    abstract void notReady();

    /** Reports the peer's digests of the requested ranges. */
    abstract void summed(long[] theirs);

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.DIGESTS, BYTES, messageId);
        long to = at + PeerWire.HEADER_BYTES;
        room.set(PeerWire.LONG, to, fingerprint);
        room.set(PeerWire.SHORT, to + 8, (short) first);
        room.set(PeerWire.SHORT, to + 10, (short) SyncLimits.DIGESTS_MAX);
        PeerWire.asker(room, to + 12, own);
        MemorySegment.copy(ours, first, room, PeerWire.LONG, to + PeerWire.DIGESTS_AT, SyncLimits.DIGESTS_MAX);
        return BYTES;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        long from = at + PeerWire.HEADER_BYTES;
        int bare = PeerWire.HEADER_BYTES + PeerWire.DIGESTS_RESPONSE_AT;
        if (!PeerWire.isResponse(segment, at, PeerWire.DIGESTS) || length < bare) {
            return false;
        }
        int number = Short.toUnsignedInt(segment.get(PeerWire.SHORT, from + 10));
        if (length != bare + 8 * number
                || number != 0 && number != SyncLimits.DIGESTS_MAX
                || Short.toUnsignedInt(segment.get(PeerWire.SHORT, from + 8)) != first) {
            return false;
        }
        if (segment.get(PeerWire.LONG, from) != fingerprint) {
            otherTables();
        } else if (number == 0) {
            notReady();
        } else {
            long[] theirs = new long[number];
            MemorySegment.copy(segment, PeerWire.LONG, from + PeerWire.DIGESTS_RESPONSE_AT, theirs, 0, number);
            summed(theirs);
        }
        return true;
    }
}
