package io.guidepost.packet.device;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;

/**
 * What the kernel says beside a frame, and is told, in packet sockets and TAP devices: struct virtio_net_hdr
 * (linux/virtio_net.h; Virtual I/O Device 1.2, section 5.1.6), in the processor's byte order. Of it this is about checksums.
 *
 * <pre>
 *  0 flags (byte)  1 kind of train (byte)  2 header bytes  4 segment bytes  6 checksum from  8 checksum at, from there
 * </pre>
 */
public final class VirtioNetHeader {
    /** Its length. */
    public static final int BYTES = 10;

    /** Bytes from one to the next in a table. */
    public static final int STRIDE = 16;

    /** Flag: the checksum is partial. */
    public static final int NEEDS_CHECKSUM = 1;

    /** Flag: the checksum is right. */
    public static final int DATA_VALID = 2;

    /** What {@link #checksum} gives for one that is partial at a place that is not in the frame. */
    public static final int BAD = -1;

    private static final int START = 6;
    private static final int FIELD = 8;
    private static final int START_SHIFT = 48;
    private static final int FIELD_MAX = 255;

    private VirtioNetHeader() {}

    /**
     * Returns what a header says of the checksum, as a row of a burst does.
     *
     * @param ahead bytes that the frame has here before what the kernel gave: an Ethernet header, or none
     * @param length bytes of the frame, with those
     * @return a {@link TransportChecksum}, or {@link #BAD}
     */
    public static int checksum(long header, int ahead, int length) {
        int flags = Memory.u8(header);
        if ((flags & NEEDS_CHECKSUM) == 0) {
            return (flags & DATA_VALID) == 0 ? TransportChecksum.UNKNOWN : TransportChecksum.RIGHT;
        }
        int start = Memory.u16Le(header + START) + ahead;
        int field = Memory.u16Le(header + FIELD);
        return field > FIELD_MAX || start + field + Short.BYTES > length ? BAD : TransportChecksum.partial(start, field);
    }

    /**
     * Writes the header of a frame that leaves.
     *
     * @param state what its row says of the checksum
     * @param ahead bytes that the frame has here before what the kernel gets
     */
    public static void write(long header, int state, int ahead) {
        if (TransportChecksum.isPartial(state)) {
            Memory.put64Le(header, NEEDS_CHECKSUM | (long) (TransportChecksum.start(state) - ahead) << START_SHIFT);
            Memory.put16Le(header + FIELD, TransportChecksum.field(state));
        } else {
            Memory.put64Le(header, 0);
        }
    }
}
