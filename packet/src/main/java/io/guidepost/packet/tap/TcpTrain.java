package io.guidepost.packet.tap;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;
import io.guidepost.packet.frame.Tcp;

/**
 * Joins TCP segments that stand behind each other in a burst and in their connection into one packet that the kernel takes
 * in one call (generic receive offload): the headers of the first, and the payloads of all where they are, as the vectors of one
 * write. A segment joins if its checksum is right and nothing differs from the first but numbers, lengths and a PSH at the end;
 * so the kernel sees what came. Not thread-safe.
 */
final class TcpTrain {
    /** Segments of a packet: fewer than a kernel's vectors, and than 64 KiB of them. */
    static final int SEGMENTS_MAX = 64;

    private static final int VERSION_AND_LENGTH = 0x45;
    private static final int TCP_BYTES = Tcp.BYTES;
    private static final int FLAGS = 13;
    private static final int BYTES_MAX = 65_535;
    private static final int FRAGMENT = 0x3fff;

    /** Where the IP header begins in a frame. */
    private final int ahead;

    private long ip;

    /** Bytes of the IP header: 20 of IPv4, or 40 of IPv6 without an extension. */
    private int ipBytes;

    private int headerBytes;
    private int segmentBytes;
    private int bytes;
    private int flags;
    private int savedIpChecksum;
    private int savedChecksum;

    TcpTrain(int ahead) {
        this.ahead = ahead;
    }

    /** Returns how many frames from one on are a train: 1 if there is none. */
    int count(Burst burst, int first) {
        ip = burst.offset(first) + ahead;
        ipBytes = Memory.u16(ip - 2) == TapPort.IPV6 ? Ipv6.BYTES : Ipv4.BYTES;
        if (!isSegment(burst, first)) {
            return 1;
        }
        headerBytes = ipBytes + tcpBytes(ip);
        segmentBytes = burst.length(first) - ahead - headerBytes;
        bytes = headerBytes + segmentBytes;
        flags = Memory.u8(ip + ipBytes + FLAGS);
        int next = first + 1;
        boolean ends = flags != Tcp.ACK;
        while (!ends && next < burst.count() && next - first < SEGMENTS_MAX && isSegment(burst, next)) {
            long at = burst.offset(next) + ahead;
            int length = burst.length(next) - ahead;
            int more = length - headerBytes;
            // A checksum costs a look at each byte: it is checked where there is something to join.
            if (!isOfFlow(at)
                    || more > segmentBytes
                    || bytes + more > BYTES_MAX
                    || next == first + 1 && !isRight(ip, headerBytes + segmentBytes)
                    || !isRight(at, length)) {
                break;
            }
            flags = Memory.u8(at + ipBytes + FLAGS);
            bytes += more;
            ends = more < segmentBytes || flags != Tcp.ACK;
            next++;
        }
        return next - first;
    }

    private boolean isSegment(Burst burst, int index) {
        long at = burst.offset(index) + ahead;
        int length = burst.length(index) - ahead;
        return length > ipBytes + TCP_BYTES
                && (ipBytes == Ipv4.BYTES ? isIpv4(at, length) : isIpv6(at, length))
                && !TransportChecksum.isPartial(burst.checksum(index))
                && tcpBytes(at) >= TCP_BYTES
                && ipBytes + tcpBytes(at) < length
                && (Memory.u8(at + ipBytes + FLAGS) & ~Tcp.PSH) == Tcp.ACK;
    }

    private static boolean isIpv4(long at, int length) {
        return Memory.u16(at - 2) == TapPort.IPV4
                && Memory.u8(at) == VERSION_AND_LENGTH
                && Memory.u16(at + 2) == length
                && (Memory.u16(at + 6) & FRAGMENT) == 0
                && Memory.u8(at + 9) == HeaderParser.TCP;
    }

    private static boolean isIpv6(long at, int length) {
        return Memory.u16(at - 2) == TapPort.IPV6
                && Memory.u8(at) >>> 4 == 6
                && Memory.u16(at + 4) == length - Ipv6.BYTES
                && Memory.u8(at + 6) == HeaderParser.TCP;
    }

    private int tcpBytes(long at) {
        return Memory.u8(at + ipBytes + 12) >>> 4 << 2;
    }

    /** Returns whether a segment is the next one of the flow, with headers that could be those of the first. */
    private boolean isOfFlow(long at) {
        long tcp = at + ipBytes;
        long first = ip + ipBytes;
        if (!hasSameIp(at)
                || Memory.i32(tcp) != Memory.i32(first)
                || Memory.i32(tcp + 4) != Memory.i32(first + 4) + bytes - headerBytes
                || Memory.i32(tcp + 8) != Memory.i32(first + 8)
                || Memory.u8(tcp + 12) != Memory.u8(first + 12)
                || Memory.u16(tcp + 14) != Memory.u16(first + 14)
                || Memory.u16(tcp + 18) != Memory.u16(first + 18)) {
            return false;
        }
        for (int i = TCP_BYTES; i < headerBytes - ipBytes; i += Integer.BYTES) {
            if (Memory.i32(tcp + i) != Memory.i32(first + i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether nothing of the IP header differs but length, number and checksum. */
    private boolean hasSameIp(long at) {
        if (ipBytes == Ipv4.BYTES) {
            return Memory.i64(at + 12) == Memory.i64(ip + 12)
                    && Memory.u16(at) == Memory.u16(ip)
                    && Memory.u16(at + 6) == Memory.u16(ip + 6)
                    && Memory.u8(at + 8) == Memory.u8(ip + 8);
        }
        return Memory.i64(at + 8) == Memory.i64(ip + 8)
                && Memory.i64(at + 16) == Memory.i64(ip + 16)
                && Memory.i64(at + 24) == Memory.i64(ip + 24)
                && Memory.i64(at + 32) == Memory.i64(ip + 32)
                && Memory.i32(at) == Memory.i32(ip)
                && Memory.u8(at + 7) == Memory.u8(ip + 7);
    }

    private boolean isRight(long at, int length) {
        int covered = length - ipBytes;
        return InternetChecksum.fold(InternetChecksum.add(pseudo(at, covered), at + ipBytes, covered)) == 0;
    }

    private long pseudo(long at, int covered) {
        return ipBytes == Ipv4.BYTES
                ? InternetChecksum.pseudoIpv4(Memory.i32(at + 12), Memory.i32(at + 16), HeaderParser.TCP, covered)
                : InternetChecksum.pseudoIpv6(
                        Memory.i64(at + 8),
                        Memory.i64(at + 16),
                        Memory.i64(at + 24),
                        Memory.i64(at + 32),
                        HeaderParser.TCP,
                        covered);
    }

    private void length(int whole) {
        if (ipBytes == Ipv4.BYTES) {
            Memory.put16(ip + 2, whole);
        } else {
            Memory.put16(ip + 4, whole - Ipv6.BYTES);
        }
    }

    /** Writes the headers of the whole into those of the first segment, and the vectors; returns how many vectors there are. */
    int join(Burst burst, int first, int count, long virtio, long vectors) {
        savedChecksum = Memory.u16(ip + ipBytes + Tcp.CHECKSUM);
        length(bytes);
        if (ipBytes == Ipv4.BYTES) {
            savedIpChecksum = Memory.u16(ip + 10);
            Memory.put16(ip + 10, 0);
            Memory.put16(ip + 10, InternetChecksum.of(ip, ipBytes));
        }
        Memory.put8(ip + ipBytes + FLAGS, flags);
        Memory.put16(ip + ipBytes + Tcp.CHECKSUM, ~InternetChecksum.fold(pseudo(ip, bytes - ipBytes)) & 0xffff);
        VirtioNetHeader.writeTcp(virtio, ipBytes, headerBytes, segmentBytes);
        for (int i = 0; i < count; i++) {
            int skip = i == 0 ? 0 : headerBytes;
            long vector = vectors + (long) i * 16;
            Memory.put64Le(vector, burst.offset(first + i) + ahead + skip);
            Memory.put64Le(vector + 8, burst.length(first + i) - ahead - skip);
        }
        return count;
    }

    /** Gives the first segment its own headers again: the kernel has not taken the whole. */
    void part() {
        length(headerBytes + segmentBytes);
        if (ipBytes == Ipv4.BYTES) {
            Memory.put16(ip + 10, savedIpChecksum);
        }
        Memory.put8(ip + ipBytes + FLAGS, Tcp.ACK);
        Memory.put16(ip + ipBytes + Tcp.CHECKSUM, savedChecksum);
    }
}
