package io.guidepost.gnrs.site;

import io.guidepost.store.HybridClock;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Asks a server whether it is there, and how it is. */
abstract class PingQuestion extends Question {
    static final int BYTES = SiteWire.HEADER_BYTES + SiteWire.PING_BYTES;

    private final @Nullable Peer own;
    private final long fingerprint;
    private final long nowMillis;
    private final int flags;

    PingQuestion(Peer peer, @Nullable Peer own, long fingerprint, long nowMillis, int flags) {
        super(peer);
        this.own = own;
        this.fingerprint = fingerprint;
        this.nowMillis = nowMillis;
        this.flags = flags;
    }

    /** The server has answered. */
    abstract void ponged(boolean sameTables, long clock, long records, int theirFlags);

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.PING, BYTES, messageId);
        room.set(SiteWire.LONG, at + 16, fingerprint);
        room.set(SiteWire.LONG, at + 24, HybridClock.of(nowMillis));
        room.set(SiteWire.SHORT, at + 32, (short) flags);
        SiteWire.asker(room, at + 34, own);
        return BYTES;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!SiteWire.isResponse(segment, at, SiteWire.PING)
                || length != SiteWire.HEADER_BYTES + SiteWire.PING_RESPONSE_BYTES) {
            return false;
        }
        ponged(
                segment.get(SiteWire.LONG, at + 16) == fingerprint,
                segment.get(SiteWire.LONG, at + 24),
                segment.get(SiteWire.LONG, at + 32),
                Short.toUnsignedInt(segment.get(SiteWire.SHORT, at + 40)));
        return true;
    }
}
