package io.guidepost.gnrs.site;

import java.lang.foreign.MemorySegment;

/** A change for one server, as MERGE. */
final class MergeQuestion extends Question {
    private static final int PAYLOAD_BYTES = 4;
    private static final int ANSWER_BYTES = SiteWire.HEADER_BYTES + 20;

    private final Copy copy;
    private final byte[] change;
    private final boolean strict;

    MergeQuestion(Copy copy, byte[] change, boolean strict) {
        super(copy.peer());
        this.copy = copy;
        this.change = change;
        this.strict = strict;
    }

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = SiteWire.HEADER_BYTES + PAYLOAD_BYTES + change.length;
        if (bytes > length) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.MERGE, bytes, messageId);
        room.set(SiteWire.INT, at + SiteWire.HEADER_BYTES, strict ? SiteWire.STRICT << 16 : 0);
        long image = at + SiteWire.HEADER_BYTES + PAYLOAD_BYTES;
        MemorySegment.copy(change, 0, room, SiteWire.BYTE, image, change.length);
        return bytes;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        int type = segment.get(SiteWire.BYTE, at + SiteWire.TYPE) & 0xff;
        if (type != (SiteWire.MERGE | SiteWire.RESPONSE_BIT) || length != ANSWER_BYTES) {
            return false;
        }
        int code = Short.toUnsignedInt(segment.get(SiteWire.SHORT, at + SiteWire.HEADER_BYTES));
        long newest = segment.get(SiteWire.LONG, at + SiteWire.HEADER_BYTES + 4);
        copy.ended(code, newest, segment.get(SiteWire.LONG, at + SiteWire.HEADER_BYTES + 12));
        return true;
    }

    @Override
    void silent() {
        copy.silent();
    }
}
