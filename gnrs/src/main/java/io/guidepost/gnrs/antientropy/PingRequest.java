package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.HybridClock;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** PING: a health check of a peer, which reports its state in the response. */
abstract class PingRequest extends PeerRequest {
    static final int BYTES = PeerWire.HEADER_BYTES + PeerWire.PING_BYTES;

    private final @Nullable Peer own;
    private final long fingerprint;
    private final long nowMillis;
    private final int flags;

    PingRequest(Peer peer, @Nullable Peer own, long fingerprint, long nowMillis, int flags) {
        super(peer);
        this.own = own;
        this.fingerprint = fingerprint;
        this.nowMillis = nowMillis;
        this.flags = flags;
    }

    abstract void ponged(boolean sameTables, long clock, long records, int theirFlags);

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.PING, BYTES, messageId);
        room.set(PeerWire.LONG, at + 16, fingerprint);
        room.set(PeerWire.LONG, at + 24, HybridClock.of(nowMillis));
        room.set(PeerWire.SHORT, at + 32, (short) flags);
        PeerWire.asker(room, at + 34, own);
        return BYTES;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!PeerWire.isResponse(segment, at, PeerWire.PING)
                || length != PeerWire.HEADER_BYTES + PeerWire.PING_RESPONSE_BYTES) {
            return false;
        }
        ponged(
                segment.get(PeerWire.LONG, at + 16) == fingerprint,
                segment.get(PeerWire.LONG, at + 24),
                segment.get(PeerWire.LONG, at + 32),
                Short.toUnsignedInt(segment.get(PeerWire.SHORT, at + 40)));
        return true;
    }
}
