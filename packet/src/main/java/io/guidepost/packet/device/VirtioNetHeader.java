package io.guidepost.packet.device;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.Ipv6;
import io.guidepost.packet.frame.Tcp;

/**
 * The virtio header beside a frame in packet sockets and TAP devices: struct virtio_net_hdr (linux/virtio_net.h;
 * Virtual I/O Device 1.2, section 5.1.6), in the processor's byte order. Its header bytes are not read.
 *
 * <pre>
 *  0 flags (byte)  1 kind of train (byte)  2 header bytes  4 segment bytes  6 checksum from  8 checksum at, from there
 * </pre>
 */
public final class VirtioNetHeader {
    /** Bytes of the header. */
    public static final int BYTES = 10;

    /** Distance of two headers in a table. */
    public static final int STRIDE = 16;

    /** Flag: the checksum is partial. */
    public static final int NEEDS_CHECKSUM = 1;

    /** Flag: the checksum is right. */
    public static final int DATA_VALID = 2;

    /** Result of {@link #checksum} for a partial checksum whose field is outside of the frame. */
    public static final int BAD = -1;

    private static final int KIND = 1;
    private static final int TCP4 = 1;
    private static final int TCP6 = 4;
    private static final int HEADERS = 2;
    private static final int SEGMENT = 4;
    private static final int START = 6;
    private static final int FIELD = 8;
    private static final int START_SHIFT = 48;
    private static final int FIELD_MAX = 255;

    private VirtioNetHeader() {}

    /**
     * Returns the checksum state of a received frame.
     *
     * @param ahead bytes that the port put before the kernel's frame: an Ethernet header, or none
     * @param length bytes of the frame, those included
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

    /** Returns the payload of each segment of a received packet but the last; 0 if it is one frame. */
    public static int segmentBytes(long header) {
        return Memory.u8(header + KIND) == 0 ? 0 : Memory.u16Le(header + SEGMENT);
    }

    /** Returns where the transport's header begins in a received packet whose checksum is partial. */
    public static int checksumStart(long header) {
        return Memory.u16Le(header + START);
    }

    /**
     * Writes the header of a TCP packet that the kernel takes as many segments.
     *
     * @param ipBytes of its IP header, which says which version it has: neither has options
     * @param headerBytes of IP and TCP
     * @param segmentBytes payload of each segment but the last
     */
    public static void writeTcp(long header, int ipBytes, int headerBytes, int segmentBytes) {
        Memory.put8(header, NEEDS_CHECKSUM);
        Memory.put8(header + KIND, ipBytes == Ipv6.BYTES ? TCP6 : TCP4);
        Memory.put16Le(header + HEADERS, headerBytes);
        Memory.put16Le(header + SEGMENT, segmentBytes);
        Memory.put16Le(header + START, ipBytes);
        Memory.put16Le(header + FIELD, Tcp.CHECKSUM);
    }

    /**
     * Writes the header of a frame to send.
     *
     * @param state checksum state of the frame's row
     * @param ahead bytes of the frame that the kernel does not get
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
