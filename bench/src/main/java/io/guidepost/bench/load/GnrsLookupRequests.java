package io.guidepost.bench.load;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** LOOKUPs of {@link SyntheticRecords}, from one socket. */
public final class GnrsLookupRequests implements UdpRequests {
    private static final int ID = 4;

    private final byte[][] messages;

    /**
     * Encodes requests.
     *
     * @param count records
     * @param origin the socket that sends them
     */
    public GnrsLookupRequests(int count, InetSocketAddress origin) {
        GnrsRequestTemplates templates = new GnrsRequestTemplates(origin);
        byte[] room = new byte[GnrsRequestTemplates.BYTES_MAX];
        messages = new byte[count][];
        for (int i = 0; i < count; i++) {
            int length = templates.lookup(MemorySegment.ofArray(room), 0, 0, i);
            messages[i] = Arrays.copyOf(room, length);
        }
    }

    @Override
    public int count() {
        return messages.length;
    }

    @Override
    public byte[] message(int number) {
        return messages[number];
    }

    @Override
    public int idOffset() {
        return ID;
    }

    @Override
    public boolean isResponse(MemorySegment segment, long offset, int length) {
        return GnrsAnswerCheck.hasId(length);
    }

    @Override
    public GnrsAnswerCheck.Verdict verdict(int number, MemorySegment segment, long offset, int length) {
        return GnrsAnswerCheck.ofLookup(segment, offset, length, number);
    }
}
