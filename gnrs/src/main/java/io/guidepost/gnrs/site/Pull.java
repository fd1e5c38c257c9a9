package io.guidepost.gnrs.site;

import io.guidepost.names.Malformed;
import io.guidepost.store.Image;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Asks a server for its form of a record. */
abstract class Pull extends Question {
    static final int BYTES = SiteWire.HEADER_BYTES + SiteWire.GUID_BYTES;

    private static final int IMAGE_AT = SiteWire.HEADER_BYTES + 4;

    private final byte[] key;

    Pull(Peer peer, byte[] key) {
        super(peer);
        this.key = key;
    }

    /** Its form, checked, or null if it has none. */
    abstract void pulled(byte @Nullable [] image);

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.FETCH, BYTES, messageId);
        MemorySegment.copy(key, 1, room, SiteWire.BYTE, at + SiteWire.HEADER_BYTES, SiteWire.GUID_BYTES);
        return BYTES;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        if (!SiteWire.isResponse(segment, at, SiteWire.FETCH) || length < IMAGE_AT) {
            return false;
        }
        if ((segment.get(SiteWire.SHORT, at + SiteWire.HEADER_BYTES) & SiteWire.FOUND) == 0) {
            pulled(null);
            return true;
        }
        if (length == IMAGE_AT) {
            // It has one that it cannot give now.
            silent();
            return true;
        }
        byte[] image = new byte[length - IMAGE_AT];
        MemorySegment.copy(segment, SiteWire.BYTE, at + IMAGE_AT, image, 0, image.length);
        try {
            Image.check(image);
        } catch (Malformed e) {
            return false;
        }
        if (!Arrays.equals(image, Image.HEADER_BYTES, Image.HEADER_BYTES + key.length, key, 0, key.length)) {
            return false;
        }
        pulled(image);
        return true;
    }
}
