package io.guidepost.packet.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The tables that the kernel's batched calls read and write, one row of each for a message (struct mmsghdr;
 * bits/socket.h, recvmmsg(2)). All 64-bit Linux systems agree on them.
 *
 * <pre>
 *  struct mmsghdr, 64 bytes
 *   0 address of the peer's address       8 its length (int)
 *  16 address of the first struct iovec  24 how many
 *  32 address of control messages        40 their length
 *  48 flags (int)                        56 bytes of the message (int, set by the kernel)
 *
 *  struct iovec, 16 bytes:     0 address of the bytes   8 how many
 *  struct cmsghdr, 16 bytes:   0 length with this header (long)   8 level (int)   12 type (int), then data
 *  struct sockaddr_in, 16:     0 family (short)   2 port (big-endian)   4 address
 *  struct sockaddr_in6, 28:    0 family (short)   2 port (big-endian)   4 flow   8 address   24 scope (int)
 *  struct in_pktinfo, 12:      0 interface (int)   4 local address   8 destination
 *  struct in6_pktinfo, 20:     0 address   16 interface (int)
 * </pre>
 */
public final class MsgHdr {
    static final long HEADER_BYTES = 64;
    public static final int HEADER_SHIFT = 6;
    static final int NAME = 0;
    static final int NAME_LENGTH = 8;
    public static final int VECTOR = 16;
    public static final int VECTOR_COUNT = 24;
    public static final int CONTROL = 32;
    public static final int CONTROL_LENGTH = 40;
    public static final int FLAGS = 48;
    public static final int LENGTH = 56;

    public static final int VECTOR_SHIFT = 4;
    public static final int VECTOR_LENGTH = 8;

    /** Bytes between two peer addresses: 28 rounded up to half a cache line. */
    public static final int NAME_SHIFT = 5;

    public static final int IPV4_NAME_BYTES = 16;
    public static final int IPV6_NAME_BYTES = 28;
    public static final int IPV6_ADDRESS = 8;
    public static final int IPV6_SCOPE = 24;

    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    /**
     * Bytes for the control messages of one message: address of arrival 40, GRO segment size 24, and one that is not
     * requested.
     */
    public static final int CONTROL_SHIFT = 7;

    public static final int CONTROL_LEVEL = 8;
    public static final int CONTROL_TYPE = 12;
    public static final int CONTROL_DATA = 16;

    public static final int SOL_IP = 0;
    public static final int IP_PKTINFO = 8;
    public static final int IPV4_PACKET_INFORMATION_BYTES = 12;
    public static final int SOL_IPV6 = 41;
    public static final int IPV6_PKTINFO = 50;
    public static final int IPV6_PACKET_INFORMATION_BYTES = 20;
    public static final int SOL_UDP = 17;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;

    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_NOSIGNAL = 0x4000;

    private final long vectors;
    private final long names;
    private final long controls;

    /**
     * Fills all fields that stay constant between calls.
     *
     * @param table zeros, of {@link #tableBytes}
     */
    public MsgHdr(MemorySegment table, int count, boolean ipv6) {
        vectors = HEADER_BYTES * count;
        names = vectors + ((long) count << VECTOR_SHIFT);
        controls = names + ((long) count << NAME_SHIFT);
        for (int i = 0; i < count; i++) {
            long header = (long) i << HEADER_SHIFT;
            table.set(JAVA_LONG, header + NAME, table.address() + name(i));
            table.set(JAVA_INT, header + NAME_LENGTH, ipv6 ? IPV6_NAME_BYTES : IPV4_NAME_BYTES);
            table.set(JAVA_LONG, header + VECTOR, table.address() + vector(i));
            table.set(JAVA_LONG, header + VECTOR_COUNT, 1);
            table.set(JAVA_LONG, header + CONTROL, table.address() + control(i));
        }
    }

    public static long tableBytes(int count) {
        return count * (HEADER_BYTES + (1L << VECTOR_SHIFT) + (1L << NAME_SHIFT) + (1L << CONTROL_SHIFT));
    }

    public long vector(int index) {
        return vectors + ((long) index << VECTOR_SHIFT);
    }

    public long name(int index) {
        return names + ((long) index << NAME_SHIFT);
    }

    public long control(int index) {
        return controls + ((long) index << CONTROL_SHIFT);
    }

    /** Returns the bytes of a control message with its header and padding. */
    public static int controlSpace(int dataBytes) {
        return CONTROL_DATA + (dataBytes + 7 & ~7);
    }
}
