package io.guidepost.gnrs.site;

import java.lang.foreign.MemorySegment;

/** Has a server merge a record into its own. */
abstract class Push extends Question {
    private static final int IMAGE_AT = SiteWire.HEADER_BYTES + 4;

    private final byte[] image;

    Push(Peer peer, byte[] image) {
        super(peer);
        this.image = image;
    }

    /** The code of the answer, see {@link SiteWire}; REFUSED if there was none. */
    abstract void ended(int code);

    int bytes() {
        return IMAGE_AT + image.length;
    }

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < bytes()) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.MERGE, bytes(), messageId);
        room.set(SiteWire.INT, at + SiteWire.HEADER_BYTES, 0);
        MemorySegment.copy(image, 0, room, SiteWire.BYTE, at + IMAGE_AT, image.length);
        return bytes();
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!SiteWire.isResponse(segment, at, SiteWire.MERGE) || length < SiteWire.HEADER_BYTES + 2) {
            return false;
        }
        ended(Short.toUnsignedInt(segment.get(SiteWire.SHORT, at + SiteWire.HEADER_BYTES)));
        return true;
    }

    @Override
    void silent() {
        ended(SiteWire.REFUSED);
    }
}
