package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;

/** MERGE: sends a record, or a change of one, to a peer, which merges it into its own. */
public abstract class MergeRequest extends PeerRequest {
    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;
    private static final int RESPONSE_BYTES = PeerWire.HEADER_BYTES + 20;

    private final byte[] image;
    private final boolean strict;

    /**
     * Creates the request.
     *
     * @param image what is sent, in stored form with stamps
     * @param strict whether the peer refuses it where it knows a stamp that is not older
     */
    public MergeRequest(Peer peer, byte[] image, boolean strict) {
        super(peer);
        this.image = image;
        this.strict = strict;
    }

    /**
     * Takes the outcome.
     *
     * @param code of the response, see {@link PeerWire}; REFUSED after a timeout
     * @param newest the newest stamp that the peer knows
     * @param digest of the record as the peer has it now
     */
    public abstract void ended(int code, long newest, long digest);

    /** Returns the length of the message without its seal. */
    public final int bytes() {
        return IMAGE_AT + image.length;
    }

    @Override
    public final int write(MemorySegment room, long at, int length, int messageId) {
        if (length < bytes()) {
            return 0;
        }
        PeerWire.header(room, at, PeerWire.MERGE, bytes(), messageId);
        room.set(PeerWire.INT, at + PeerWire.HEADER_BYTES, strict ? PeerWire.STRICT << 16 : 0);
        MemorySegment.copy(image, 0, room, PeerWire.BYTE, at + IMAGE_AT, image.length);
        return bytes();
    }

    @Override
    public final boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!PeerWire.isResponse(segment, at, PeerWire.MERGE) || length != RESPONSE_BYTES) {
            return false;
        }
        long from = at + PeerWire.HEADER_BYTES;
        ended(
                Short.toUnsignedInt(segment.get(PeerWire.SHORT, from)),
                segment.get(PeerWire.LONG, from + 4),
                segment.get(PeerWire.LONG, from + 12));
        return true;
    }

    @Override
    public void silent() {
        ended(PeerWire.REFUSED, 0, 0);
    }
}
