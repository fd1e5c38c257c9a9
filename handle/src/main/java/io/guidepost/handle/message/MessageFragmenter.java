package io.guidepost.handle.message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fragments messages over UDP packets (RFC 3652 section 2.3): slices of 492 bytes, each behind the envelope with the
 * number of the packet and the length of the whole message. The caller sets {@link HandleEnvelope#split}: clients do, servers
 * copy it from the request.
 */
public final class MessageFragmenter {
    /** Bytes of a full packet. */
    public static final int BYTES_MAX = HandleWire.PACKET_BYTES_MAX;

    private MessageFragmenter() {}

    /**
     * Returns the number of packets of a message.
     *
     * @param messageBytes of the message, envelope included
     */
    public static int count(int messageBytes) {
        int rest = messageBytes - HandleWire.ENVELOPE_BYTES;
        return Math.max(1, (rest + HandleWire.SLICE_BYTES - 1) / HandleWire.SLICE_BYTES);
    }

    /**
     * Writes one packet of a message; allocates nothing.
     *
     * @param message the segment that holds the message
     * @param offset of the message in it
     * @param length of the message, envelope included
     * @param number of the packet, from 0
     * @param out the segment for the packet, with room for {@link #BYTES_MAX}
     * @param at offset in it
     * @return the packet's length in bytes
     */
    public static int write(
            MemorySegment message, long offset, int length, int number, MemorySegment out, long at) {
        int from = HandleWire.ENVELOPE_BYTES + number * HandleWire.SLICE_BYTES;
        int slice = Math.min(HandleWire.SLICE_BYTES, length - from);
        MemorySegment.copy(message, offset, out, at, HandleWire.ENVELOPE_BYTES);
        out.set(HandleWire.INT, at + HandleWire.SEQUENCE, number);
        out.set(HandleWire.INT, at + HandleWire.LENGTH, length - HandleWire.ENVELOPE_BYTES);
        MemorySegment.copy(message, offset + from, out, at + HandleWire.ENVELOPE_BYTES, slice);
        return HandleWire.ENVELOPE_BYTES + slice;
    }

    /** Returns all packets of a message, in order. */
    public static List<byte[]> of(byte[] message) {
        List<byte[]> packets = new ArrayList<>();
        MemorySegment segment = MemorySegment.ofArray(message);
        byte[] room = new byte[BYTES_MAX];
        for (int i = 0; i < count(message.length); i++) {
            int bytes = write(segment, 0, message.length, i, MemorySegment.ofArray(room), 0);
            packets.add(Arrays.copyOf(room, bytes));
        }
        return packets;
    }
}
