package io.guidepost.packet.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A classic pcap file (draft-ietf-opsawg-pcap), in either byte order, with microseconds or nanoseconds.
 *
 * <pre>
 *  file     0 magic 32   4 major 16, minor 16   8 reserved 64   16 snap length 32   20 flags 4, 0 12, link type 16
 *  record   0 seconds 32   4 micro- or nanoseconds 32   8 bytes here 32   12 bytes on the wire 32   16 packet
 * </pre>
 */
final class PcapReader extends CaptureReader {
    static final int MICROSECONDS = 0xa1b2_c3d4;
    static final int NANOSECONDS = 0xa1b2_3c4d;
    static final int FILE_BYTES = 24;
    static final int RECORD_BYTES = 16;

    private long nanosInUnit;

    PcapReader(Path file, MemorySegment mapping) {
        super(file, mapping);
    }

    static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS;
    }

    @Override
    void begin() {
        order(false);
        if (left() < FILE_BYTES) {
            failed("it has " + left() + " bytes; the header of a pcap file has " + FILE_BYTES);
            return;
        }
        order(!isMagic(i32(0)));
        nanosInUnit = i32(0) == NANOSECONDS ? 1 : 1_000;
        int linkType = i32(20) & 0xffff;
        if (u16(4) != 2) {
            failed("it is of version " + u16(4) + "; only version 2 is known");
        } else if (linkType != ETHERNET) {
            failed("its packets have link type " + linkType + "; only Ethernet (1) can be read");
        } else {
            skip(FILE_BYTES);
        }
    }

    @Override
    public boolean next() {
        long left = left();
        if (left == 0) {
            return false;
        }
        if (left < RECORD_BYTES) {
            return failed("it breaks off in the header of a packet: " + left + " bytes of " + RECORD_BYTES);
        }
        int length = i32(8);
        if (length < 0 || length > PACKET_BYTES_MAX) {
            return failed("a packet of " + Integer.toUnsignedString(length) + " bytes; the bound is " + PACKET_BYTES_MAX);
        }
        if (length > left - RECORD_BYTES) {
            return failed("it breaks off in a packet: " + (left - RECORD_BYTES) + " bytes of " + length);
        }
        long seconds = i32(0) & 0xffff_ffffL;
        long fraction = (i32(4) & 0xffff_ffffL) * nanosInUnit;
        packet(RECORD_BYTES, length, Math.max(length, i32(12)), seconds * 1_000_000_000 + fraction);
        skip(RECORD_BYTES + length);
        return true;
    }
}
