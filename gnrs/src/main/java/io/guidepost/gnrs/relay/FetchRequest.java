package io.guidepost.gnrs.relay;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** FETCH: requests a record from one server. */
final class FetchRequest extends PeerRequest {
    static final int QUESTION_BYTES = PeerWire.HEADER_BYTES + PeerWire.GUID_BYTES;

    /** Offset of the image in the response. */
    static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;

    private final RecordFetches home;
    private final RecordFetch fetch;
    private final RecordFetch.ReplicaCandidate candidate;

    FetchRequest(RecordFetches home, RecordFetch fetch, RecordFetch.ReplicaCandidate candidate) {
        super(candidate.peer());
        this.home = home;
        this.fetch = fetch;
        this.candidate = candidate;
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < QUESTION_BYTES) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.FETCH, QUESTION_BYTES, messageId);
        fetch.guid(room, at + PeerWire.HEADER_BYTES);
        return QUESTION_BYTES;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(PeerWire.BYTE, at + PeerWire.TYPE) & 0xff;
        if (type != (PeerWire.FETCH | PeerWire.RESPONSE_BIT) || length < IMAGE_AT) {
            return false;
        }
        int flags = segment.get(PeerWire.SHORT, at + PeerWire.HEADER_BYTES);
        boolean lagging = (flags & PeerWire.CATCHING_UP) != 0;
        if ((flags & PeerWire.FOUND) == 0) {
            if (length != IMAGE_AT) {
                return false;
            }
            // A server with other tables, which does not keep the record, knows nothing of it.
            boolean placed = (flags & PeerWire.PLACED_HERE) != 0;
            if (candidate.placed() && !placed) {
                fetch.refused(candidate);
            } else {
                fetch.takeReply(candidate, null, lagging);
            }
            return true;
        }
        if (length == IMAGE_AT) {
            fetch.refused(candidate);
            return true;
        }
        byte[] image = image(segment, at + IMAGE_AT, length - IMAGE_AT);
        if (image == null) {
            return false;
        }
        fetch.takeReply(candidate, image, lagging);
        return true;
    }

    private byte @org.jspecify.annotations.Nullable [] image(MemorySegment segment, long at, int length) {
        byte[] image = new byte[length];
        MemorySegment.copy(segment, PeerWire.BYTE, at, image, 0, length);
        try {
            RecordImage.check(image);
        } catch (Malformed e) {
            return null;
        }
        int key = RecordImage.HEADER_BYTES + 1;
        boolean asked = Arrays.equals(image, key, key + PeerWire.GUID_BYTES, fetch.guid(), 0, PeerWire.GUID_BYTES);
        return asked && home.mayBe(RecordImage.newest(MemorySegment.ofArray(image), 0)) ? image : null;
    }

    @Override
    public void late() {
        fetch.late();
    }

    @Override
    public void silent() {
        fetch.silent(candidate);
    }
}
