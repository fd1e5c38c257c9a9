package io.guidepost.packet.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A pcapng file (draft-ietf-opsawg-pcapng): blocks, of which sections, interfaces and packets are read, and others
 * skipped. Each section has its byte order, each interface its time resolution.
 *
 * <pre>
 *  block       0 type 32   4 bytes of all of it 32   8 body   ... the same bytes 32
 *  section     8 byte order magic 32   12 major 16, minor 16   16 bytes of the section 64   24 options
 *  interface   8 link type 16, 0 16   12 snap length 32   16 options: 9 resolution, 14 offset in seconds
 *  packet      8 interface 32   12 time, upper 32, lower 32   20 bytes here 32   24 bytes on the wire 32   28 packet
 *  simple      8 bytes on the wire 32   12 packet
 *  old packet  8 interface 16, drops 16   and as the packet
 * </pre>
 */
final class PcapngReader extends CaptureReader {
    static final int SECTION = 0x0a0d_0d0a;
    static final int INTERFACE = 1;
    static final int OLD_PACKET = 2;
    static final int SIMPLE_PACKET = 3;
    static final int PACKET = 6;
    static final int ORDER = 0x1a2b_3c4d;
    static final int RESOLUTION = 9;
    static final int OFFSET = 14;

    /** Interfaces of a section: more than any machine has, and few enough to keep in memory. */
    private static final int INTERFACES_MAX = 4_096;

    /** Type, length and the length again. */
    private static final int FRAME_BYTES = 12;

    private static final int SECTION_BYTES = 28;
    private static final int PACKET_BYTES = 32;
    private static final int SIMPLE_BYTES = 16;
    private static final int INTERFACE_BYTES = 20;
    private static final long BILLION = 1_000_000_000;

    private int interfaces;
    private int[] snapLengths = new int[4];
    private int[] resolutions = new int[4];
    private long[] offsets = new long[4];

    PcapngReader(Path file, MemorySegment mapping) {
        super(file, mapping);
    }

    @Override
    void begin() {
        interfaces = 0;
        order(false);
    }

    @Override
    public boolean next() {
        while (left() > 0) {
            int bytes = measure();
            if (bytes < 0) {
                return false;
            }
            int type = i32(0);
            boolean right = switch (type) {
                case SECTION -> section(bytes);
                case INTERFACE -> describe(bytes);
                default -> true;
            };
            if (!right) {
                return false;
            }
            if (type == PACKET || type == OLD_PACKET || type == SIMPLE_PACKET) {
                boolean whole = type == SIMPLE_PACKET ? simple(bytes) : enhanced(bytes, type == OLD_PACKET);
                if (whole) {
                    skip(bytes);
                }
                return whole;
            }
            skip(bytes);
        }
        return false;
    }

    /** Returns the bytes of the current block, -1 if they are invalid. */
    private int measure() {
        if (left() < FRAME_BYTES) {
            failed("it breaks off in the header of a block: " + left() + " bytes of " + FRAME_BYTES);
            return -1;
        }
        if (i32(0) == SECTION) {
            // The section type is symmetric in both byte orders; its length is not.
            order(false);
            order(i32(8) != ORDER);
            if (i32(8) != ORDER) {
                order(false);
                failed("a section with byte order " + hex(i32(8)) + "; it must be 1a2b3c4d in either order");
                return -1;
            }
        }
        long bytes = i32(4) & 0xffff_ffffL;
        if (bytes < FRAME_BYTES || bytes % 4 != 0 || bytes > Integer.MAX_VALUE) {
            failed("a block of " + bytes + " bytes; it must be a multiple of 4, 12 or more");
            return -1;
        }
        if (bytes > left()) {
            failed("it breaks off in a block: " + left() + " bytes of " + bytes);
            return -1;
        }
        if (i32((int) bytes - 4) != (int) bytes) {
            failed("a block of " + bytes + " bytes ends with another length, "
                    + Integer.toUnsignedString(i32((int) bytes - 4)));
            return -1;
        }
        return (int) bytes;
    }

    private boolean section(int bytes) {
        if (bytes < SECTION_BYTES) {
            return failed("a section header of " + bytes + " bytes; it has " + SECTION_BYTES + " or more");
        }
        if (u16(12) != 1) {
            return failed("it is of version " + u16(12) + "; only version 1 is known");
        }
        interfaces = 0;
        return true;
    }

    private boolean describe(int bytes) {
        if (bytes < INTERFACE_BYTES) {
            return failed("an interface of " + bytes + " bytes; it has " + INTERFACE_BYTES + " or more");
        }
        if (u16(8) != ETHERNET) {
            return failed("an interface has link type " + u16(8) + "; only Ethernet (1) can be read");
        }
        if (interfaces == INTERFACES_MAX) {
            return failed("more than " + INTERFACES_MAX + " interfaces in a section");
        }
        if (interfaces == offsets.length) {
            snapLengths = Arrays.copyOf(snapLengths, 2 * interfaces);
            resolutions = Arrays.copyOf(resolutions, 2 * interfaces);
            offsets = Arrays.copyOf(offsets, 2 * interfaces);
        }
        snapLengths[interfaces] = i32(12);
        resolutions[interfaces] = 6;
        offsets[interfaces] = 0;
        options(16, bytes - 4);
        interfaces++;
        return true;
    }

    private void options(int from, int end) {
        int offset = from;
        while (end - offset >= 4 && u16(offset) != 0) {
            int code = u16(offset);
            int length = u16(offset + 2);
            if (length > end - offset - 4) {
                return;
            }
            if (code == RESOLUTION && length == 1) {
                resolutions[interfaces] = u8(offset + 4);
            } else if (code == OFFSET && length == 8) {
                offsets[interfaces] = i64(offset + 4);
            }
            offset += 4 + (length + 3 & ~3);
        }
    }

    private boolean enhanced(int bytes, boolean old) {
        if (bytes < PACKET_BYTES) {
            return failed("the block of a packet of " + bytes + " bytes; it has " + PACKET_BYTES + " or more");
        }
        int from = old ? u16(8) : i32(8);
        if (from < 0 || from >= interfaces) {
            return failed("a packet of interface " + Integer.toUnsignedString(from) + "; the section has " + interfaces);
        }
        int length = i32(20);
        if (length < 0 || length > bytes - PACKET_BYTES) {
            return failed("a packet of " + Integer.toUnsignedString(length) + " bytes in a block with room for "
                    + (bytes - PACKET_BYTES));
        }
        if (length > PACKET_BYTES_MAX) {
            return failed("a packet of " + length + " bytes; the bound is " + PACKET_BYTES_MAX);
        }
        long units = (long) i32(12) << 32 | i32(16) & 0xffff_ffffL;
        long nanos = nanos(units, resolutions[from]) + offsets[from] * BILLION;
        return packet(28, length, Math.max(length, i32(24)), nanos);
    }

    /** Reads a simple packet block, which has no time and takes that of the packet before. */
    private boolean simple(int bytes) {
        if (bytes < SIMPLE_BYTES) {
            return failed("the block of a packet of " + bytes + " bytes; it has " + SIMPLE_BYTES + " or more");
        }
        if (interfaces == 0) {
            return failed("a packet, and the section has no interface");
        }
        int wire = i32(8);
        int snap = snapLengths[0];
        int length = snap > 0 && Integer.compareUnsigned(wire, snap) > 0 ? snap : wire;
        if (length < 0 || length > bytes - SIMPLE_BYTES || length > PACKET_BYTES_MAX) {
            return failed("a packet of " + Integer.toUnsignedString(length) + " bytes in a block with room for "
                    + (bytes - SIMPLE_BYTES));
        }
        return packet(12, length, Math.max(length, wire), timeNanos());
    }

    /** Returns the nanoseconds of a number of units of 10^-n or, with the highest bit set, 2^-n seconds. */
    static long nanos(long units, int resolution) {
        int n = resolution & 0x7f;
        if ((resolution & 0x80) != 0) {
            if (n > 63) {
                return 0;
            }
            long fraction = units & (1L << n) - 1;
            // Thirty bits of the fraction suffice for nanoseconds, and their product with a billion fits.
            return (units >>> n) * BILLION + (n > 30 ? (fraction >>> n - 30) * BILLION >>> 30 : fraction * BILLION >>> n);
        }
        long nanos = units;
        for (int i = n; i < 9; i++) {
            nanos *= 10;
        }
        for (int i = Math.min(n, 29); i > 9; i--) {
            nanos = Long.divideUnsigned(nanos, 10);
        }
        return nanos;
    }
}
