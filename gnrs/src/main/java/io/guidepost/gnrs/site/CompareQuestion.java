package io.guidepost.gnrs.site;

import java.lang.foreign.MemorySegment;

/** Asks a server which of some records it has in another form than this one, or not at all. */
abstract class CompareQuestion extends Question {
    private final Batch batch;

    /** Records to be compared: keys and digests. */
    static final class Batch {
        final byte[][] keys = new byte[CatchUpLimits.COMPARE_MAX][];
        final long[] digests = new long[CatchUpLimits.COMPARE_MAX];
        int size;
        int attempts;

        void add(byte[] key, long digest) {
            keys[size] = key;
            digests[size++] = digest;
        }

        boolean full() {
            return size == CatchUpLimits.COMPARE_MAX;
        }

        int bytes() {
            return SiteWire.HEADER_BYTES + 4 + SiteWire.COMPARED_BYTES * size;
        }
    }

    CompareQuestion(Peer peer, Batch batch) {
        super(peer);
        this.batch = batch;
    }

    /** The server has something else under a key, or nothing. */
    abstract void differs(byte[] key, boolean there);

    /** All were compared. */
    abstract void compared();

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        int bytes = batch.bytes();
        if (length < bytes) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.COMPARE, bytes, messageId);
        long to = at + SiteWire.HEADER_BYTES;
        room.set(SiteWire.INT, to, batch.size << 16);
        to += 4;
        for (int i = 0; i < batch.size; i++) {
            MemorySegment.copy(batch.keys[i], 1, room, SiteWire.BYTE, to, SiteWire.GUID_BYTES);
            room.set(SiteWire.LONG, to + SiteWire.GUID_BYTES, batch.digests[i]);
            to += SiteWire.COMPARED_BYTES;
        }
        return bytes;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        long from = at + SiteWire.HEADER_BYTES;
        if (!SiteWire.isResponse(segment, at, SiteWire.COMPARE)
                || length != SiteWire.HEADER_BYTES + 4 + batch.size
                || Short.toUnsignedInt(segment.get(SiteWire.SHORT, from)) != batch.size) {
            return false;
        }
        for (int i = 0; i < batch.size; i++) {
            int code = segment.get(SiteWire.BYTE, from + 4 + i);
            if (code != SiteWire.SAME) {
                differs(batch.keys[i], code != SiteWire.NOT_THERE);
            }
        }
        compared();
        return true;
    }
}
