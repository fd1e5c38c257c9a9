package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import java.lang.foreign.MemorySegment;

/** Read repair: MERGE to a server whose answer lacked parts of a record; the outcome is ignored. */
final class ReadRepair extends PeerRequest {
    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;

    private final byte[] image;

    ReadRepair(Peer peer, byte[] image) {
        super(peer);
        this.image = image;
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = IMAGE_AT + image.length;
        if (bytes > length) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.MERGE, bytes, messageId);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, 0);
        MemorySegment.copy(image, 0, room, PeerWire.BYTE, at + IMAGE_AT, image.length);
        return bytes;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(PeerWire.BYTE, at + PeerWire.TYPE) & 0xff;
        return type == (PeerWire.MERGE | PeerWire.RESPONSE_BIT);
    }

    @Override
    public void silent() {
        // The next look-up, or anti-entropy, will repair it.
    }
}
