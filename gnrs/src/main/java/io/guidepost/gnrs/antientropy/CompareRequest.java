package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.SyncLimits;
import java.lang.foreign.MemorySegment;

/** COMPARE: asks a peer which of some records it has in another form than this server, or not at all. */
abstract class CompareRequest extends PeerRequest {
    private final Batch batch;

    /** The records to compare: keys and digests. */
    static final class Batch {
        final byte[][] keys = new byte[SyncLimits.COMPARE_MAX][];
        final long[] digests = new long[SyncLimits.COMPARE_MAX];
        int size;
        int attempts;

        void add(byte[] key, long digest) {
            keys[size] = key;
            digests[size++] = digest;
        }

        boolean full() {
            return size == SyncLimits.COMPARE_MAX;
        }

        int bytes() {
            return PeerWire.HEADER_BYTES + 4 + PeerWire.COMPARED_BYTES * size;
        }
    }

    CompareRequest(Peer peer, Batch batch) {
        super(peer);
        this.batch = batch;
    }

    /** Reports that the peer has another form under a key, or none. */
    abstract void differs(byte[] key, boolean there);

    abstract void compared();

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = batch.bytes();
        if (length < bytes) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.COMPARE, bytes, messageId);
        long to = at + PeerWire.HEADER_BYTES;
        room.set(PeerWire.INT, to, batch.size << 16);
        to += 4;
        for (int i = 0; i < batch.size; i++) {
            MemorySegment.copy(batch.keys[i], 1, room, PeerWire.BYTE, to, PeerWire.GUID_BYTES);
            room.set(PeerWire.LONG, to + PeerWire.GUID_BYTES, batch.digests[i]);
            to += PeerWire.COMPARED_BYTES;
        }
        return bytes;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        long from = at + PeerWire.HEADER_BYTES;
        if (!PeerWire.isResponse(segment, at, PeerWire.COMPARE)
                || length != PeerWire.HEADER_BYTES + 4 + batch.size
                || Short.toUnsignedInt(segment.get(PeerWire.SHORT, from)) != batch.size) {
            return false;
        }
        for (int i = 0; i < batch.size; i++) {
            int code = segment.get(PeerWire.BYTE, from + 4 + i);
            if (code != PeerWire.SAME) {
                differs(batch.keys[i], code != PeerWire.NOT_THERE);
            }
        }
        compared();
        return true;
    }
}
