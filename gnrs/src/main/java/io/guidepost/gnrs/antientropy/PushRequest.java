package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import java.lang.foreign.MemorySegment;

/** Sends a record to a peer, which merges it into its own. */
abstract class PushRequest extends PeerRequest {
    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;

    private final byte[] image;

    PushRequest(Peer peer, byte[] image) {
        super(peer);
        this.image = image;
    }

    /** Takes the code of the response, see {@link PeerWire}; REFUSED after a timeout. */
    abstract void ended(int code);

    int bytes() {
        return IMAGE_AT + image.length;
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < bytes()) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.MERGE, bytes(), messageId);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, 0);
        MemorySegment.copy(image, 0, room, PeerWire.BYTE, at + IMAGE_AT, image.length);
        return bytes();
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!PeerWire.isResponse(segment, at, PeerWire.MERGE) || length < PeerWire.HEADER_BYTES + 2) {
            return false;
        }
        ended(Short.toUnsignedInt(segment.get(PeerWire.SHORT, at + PeerWire.HEADER_BYTES)));
        return true;
    }

    @Override
    public void silent() {
        ended(PeerWire.REFUSED);
    }
}
