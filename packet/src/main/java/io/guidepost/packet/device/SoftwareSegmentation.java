package io.guidepost.packet.device;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;

/**
 * Software segmentation (GSO): cuts a packet that the kernel left for a device to segment, or had merged (GRO), into
 * the frames that would be on a wire. Each gets its own headers, lengths and sequence numbers, and a partial checksum. Not
 * thread-safe.
 */
public final class SoftwareSegmentation {
    private static final int TCP_FIN_PSH = 0x09;
    private static final int TCP_CWR = 0x80;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_VLAN = 0x88a8;

    private long frame;
    private int length;
    private int segmentBytes;
    private int network;
    private int transport;
    private int headerBytes;
    private boolean ipv4;
    private boolean tcp;
    private int at;
    private int number;

    /**
     * Starts with a packet to segment.
     *
     * @param segmentBytes payload bytes of each frame but the last
     * @param transport offset of the transport header
     * @param tcp whether the transport is TCP, else UDP
     * @return whether it can be segmented
     */
    public boolean open(long address, int bytes, int segmentBytes, int transport, boolean tcp) {
        this.frame = address;
        this.length = bytes;
        this.segmentBytes = segmentBytes;
        this.transport = transport;
        this.tcp = tcp;
        number = 0;
        network = networkOffset();
        if (segmentBytes == 0 || transport + 20 > bytes || network + 20 > transport) {
            return false;
        }
        ipv4 = Memory.u16(frame + network - 2) == IPV4;
        headerBytes = transport + (tcp ? Memory.u8(frame + transport + 12) >>> 4 << 2 : 8);
        at = headerBytes;
        return (ipv4 || Memory.u16(frame + network - 2) == IPV6) && headerBytes < bytes;
    }

    private int networkOffset() {
        int offset = 14;
        int type = Memory.u16(frame + 12);
        while ((type == VLAN || type == SERVICE_VLAN) && offset + 4 < transport) {
            offset += 4;
            type = Memory.u16(frame + offset - 2);
        }
        return offset;
    }

    /** Ends with the packet: none of it is left. */
    public void close() {
        at = length;
    }

    /** Returns whether there is another frame. */
    public boolean hasNext() {
        return at < length;
    }

    /** Returns the bytes of the next frame. */
    public int nextBytes() {
        return headerBytes + Math.min(segmentBytes, length - at);
    }

    /** Writes the next frame. */
    public void next(long to) {
        int bytes = nextBytes();
        Memory.copy(frame, to, headerBytes);
        Memory.copy(frame + at, to + headerBytes, bytes - headerBytes);
        if (ipv4) {
            ipv4Header(to + network, bytes - network);
        } else {
            Memory.put16(to + network + 4, bytes - network - 40);
        }
        if (tcp) {
            tcpHeader(to + transport, bytes);
        } else {
            Memory.put16(to + transport + 4, bytes - transport);
        }
        pseudoSum(to, bytes - transport);
        at += bytes - headerBytes;
        number++;
    }

    private void ipv4Header(long header, int bytes) {
        Memory.put16(header + 2, bytes);
        Memory.put16(header + 4, Memory.u16(header + 4) + number);
        Memory.put16(header + 10, 0);
        Memory.put16(header + 10, InternetChecksum.of(header, (Memory.u8(header) & 0xf) << 2));
    }

    private void tcpHeader(long header, int bytes) {
        int flags = Memory.u8(header + 13);
        boolean last = at + bytes - headerBytes >= length;
        flags &= last ? 0xff : ~TCP_FIN_PSH;
        flags &= number == 0 ? 0xff : ~TCP_CWR;
        Memory.put8(header + 13, flags);
        Memory.put32(header + 4, Memory.i32(header + 4) + at - headerBytes);
    }

    private void pseudoSum(long to, int bytes) {
        long sum = InternetChecksum.add((tcp ? HeaderParser.TCP : HeaderParser.UDP) + bytes, to + network + (ipv4 ? 12 : 8), ipv4 ? 8 : 32);
        Memory.put16(to + transport + field(), ~InternetChecksum.fold(sum) & 0xffff);
    }

    private int field() {
        return tcp ? Tcp.CHECKSUM : Udp.CHECKSUM;
    }

    /** Returns the checksum state of all frames. */
    public int checksum() {
        return TransportChecksum.partial(transport, field());
    }
}
