package io.guidepost.gnrs.site;

import java.lang.foreign.MemorySegment;

/** MERGE to a server that was seen to know less of a record than others; whether it takes it is its own matter. */
final class Repair extends Question {
    private static final int IMAGE_AT = SiteWire.HEADER_BYTES + 4;

    private final byte[] image;

    Repair(Peer peer, byte[] image) {
        super(peer);
        this.image = image;
    }

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = IMAGE_AT + image.length;
        if (bytes > length) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.MERGE, bytes, messageId);
        room.set(SiteWire.INT, at + SiteWire.HEADER_BYTES, 0);
        MemorySegment.copy(image, 0, room, SiteWire.BYTE, at + IMAGE_AT, image.length);
        return bytes;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(SiteWire.BYTE, at + SiteWire.TYPE) & 0xff;
        return type == (SiteWire.MERGE | SiteWire.RESPONSE_BIT);
    }

    @Override
    void silent() {
        // The next look-up, or the comparing of digests, will see to it.
    }
}
