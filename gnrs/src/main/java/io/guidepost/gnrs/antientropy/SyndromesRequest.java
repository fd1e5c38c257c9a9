package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.Syndromes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** SYNDROMES: requests a peer's syndromes of some groups, a bit for each. */
abstract class SyndromesRequest extends PeerRequest {
    private final @Nullable Peer own;
    private final long fingerprint;
    private final int groups;

    SyndromesRequest(Peer peer, @Nullable Peer own, long fingerprint, int groups) {
        super(peer);
        this.own = own;
        this.fingerprint = fingerprint;
        this.groups = groups;
    }

    int bytes() {
        return PeerWire.HEADER_BYTES + PeerWire.SYNDROMES_AT + PeerWire.SYNDROMES_BYTES * Integer.bitCount(groups);
    }

    /** Reports that the peer has other tables, or has not counted all records yet. */
    abstract void notReady();

    /** Reports the peer's sums of all groups; those of groups that were not requested are 0. */
    abstract void summed(long[] theirs);

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = bytes();
        if (length < bytes) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.SYNDROMES, bytes, messageId);
        long to = at + PeerWire.HEADER_BYTES;
        room.set(PeerWire.LONG, to, fingerprint);
        room.set(PeerWire.INT, to + 8, groups);
        PeerWire.asker(room, to + 12, own);
        room.asSlice(to + PeerWire.SYNDROMES_AT, bytes - PeerWire.HEADER_BYTES - PeerWire.SYNDROMES_AT).fill((byte) 0);
        return bytes;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        long from = at + PeerWire.HEADER_BYTES;
        int bare = PeerWire.HEADER_BYTES + PeerWire.SYNDROMES_RESPONSE_AT;
        if (!PeerWire.isResponse(segment, at, PeerWire.SYNDROMES) || length < bare) {
            return false;
        }
        int told = segment.get(PeerWire.INT, from + 8);
        boolean same = segment.get(PeerWire.LONG, from) == fingerprint;
        if (told != 0 && told != groups || length != bare + PeerWire.SYNDROMES_BYTES * Integer.bitCount(told)) {
            return false;
        }
        if (!same || told == 0) {
            notReady();
            return true;
        }
        long[] theirs = new long[Syndromes.GROUPS * Syndromes.SUMS];
        from += PeerWire.SYNDROMES_RESPONSE_AT;
        for (int rest = told; rest != 0; rest &= rest - 1) {
            int first = Integer.numberOfTrailingZeros(rest) * Syndromes.SUMS;
            for (int i = 0; i < Syndromes.SUMS; i++) {
                theirs[first + i] = segment.get(PeerWire.LONG, from + 8L * i);
                if (!Syndromes.isSum(theirs[first + i])) {
                    return false;
                }
            }
            from += PeerWire.SYNDROMES_BYTES;
        }
        summed(theirs);
        return true;
    }
}
