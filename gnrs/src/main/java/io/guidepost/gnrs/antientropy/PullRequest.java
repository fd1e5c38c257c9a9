package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Requests a peer's form of a record. */
abstract class PullRequest extends PeerRequest {
    static final int BYTES = PeerWire.HEADER_BYTES + PeerWire.GUID_BYTES;

    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;

    private final byte[] key;

    PullRequest(Peer peer, byte[] key) {
        super(peer);
        this.key = key;
    }

    /** Takes its form, checked, or null if it has none. */
    abstract void pulled(byte @Nullable [] image);

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.FETCH, BYTES, messageId);
        MemorySegment.copy(key, 1, room, PeerWire.BYTE, at + PeerWire.HEADER_BYTES, PeerWire.GUID_BYTES);
        return BYTES;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!PeerWire.isResponse(segment, at, PeerWire.FETCH) || length < IMAGE_AT) {
            return false;
        }
        if ((segment.get(PeerWire.SHORT, at + PeerWire.HEADER_BYTES) & PeerWire.FOUND) == 0) {
            pulled(null);
            return true;
        }
        if (length == IMAGE_AT) {
            // It has one that it cannot read now.
            silent();
            return true;
        }
        byte[] image = new byte[length - IMAGE_AT];
        MemorySegment.copy(segment, PeerWire.BYTE, at + IMAGE_AT, image, 0, image.length);
        try {
            RecordImage.check(image);
        } catch (Malformed e) {
            return false;
        }
        if (!Arrays.equals(image, RecordImage.HEADER_BYTES, RecordImage.HEADER_BYTES + key.length, key, 0, key.length)) {
            return false;
        }
        pulled(image);
        return true;
    }
}
