package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import java.lang.foreign.MemorySegment;

/** MERGE: sends a change to one server. */
final class MergeRequest extends PeerRequest {
    private static final int PAYLOAD_BYTES = 4;
    private static final int ANSWER_BYTES = PeerWire.HEADER_BYTES + 20;

    private final ReplicaWrite copy;
    private final byte[] change;
    private final boolean strict;

    MergeRequest(ReplicaWrite copy, byte[] change, boolean strict) {
        super(copy.peer());
        this.copy = copy;
        this.change = change;
        this.strict = strict;
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = PeerWire.HEADER_BYTES + PAYLOAD_BYTES + change.length;
        if (bytes > length) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.MERGE, bytes, messageId);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, strict ? PeerWire.STRICT << 16 : 0);
        long image = at + PeerWire.HEADER_BYTES + PAYLOAD_BYTES;
        MemorySegment.copy(change, 0, room, PeerWire.BYTE, image, change.length);
        return bytes;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(PeerWire.BYTE, at + PeerWire.TYPE) & 0xff;
        if (type != (PeerWire.MERGE | PeerWire.RESPONSE_BIT) || length != ANSWER_BYTES) {
            return false;
        }
        int code = Short.toUnsignedInt(segment.get(PeerWire.SHORT, at + PeerWire.HEADER_BYTES));
        long newest = segment.get(PeerWire.LONG, at + PeerWire.HEADER_BYTES + 4);
        copy.ended(code, newest, segment.get(PeerWire.LONG, at + PeerWire.HEADER_BYTES + 12));
        return true;
    }

    @Override
    public void silent() {
        copy.silent();
    }
}
