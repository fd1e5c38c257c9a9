package io.guidepost.scaffold.segment;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes single TCP segments, in the name of either end of a flow. Belongs to one thread. */
public final class SegmentWriter {
    private static final byte[] NOTHING = {};
    private static final int TIMESTAMP_WORD = 0x0101_080a;
    private static final int OPTION_BYTES = 12;
    private static final int PACKET_BYTES_MAX = 65_535;
    private static final int HEADROOM_BYTES = IpPacket.HEADROOM_BYTES + IpPacket.IPV6_BYTES;

    private final MemorySegment room =
            Arena.ofAuto().allocate(HEADROOM_BYTES + PACKET_BYTES_MAX, Long.BYTES);
    private final long packet = room.address() + HEADROOM_BYTES;
    private final IpPacket written = new IpPacket();

    /** The numbers of a segment; {@code clock} and {@code echo} are its timestamps, if it has the option. */
    public record Numbers(int sequence, int acknowledgment, int flags, int window, boolean hasClock, int clock, int echo) {
        /** Returns those of a segment without timestamps. */
        public static Numbers of(int sequence, int acknowledgment, int flags, int window) {
            return new Numbers(sequence, acknowledgment, flags, window, false, 0, 0);
        }
    }

    /**
     * Writes a segment.
     *
     * @param fromPeer whether it is the peer's, for the local kernel, or the local kernel's, for the peer
     * @return the packet, until the next one is written
     */
    public IpPacket write(FlowTuple tuple, boolean fromPeer, Numbers numbers, byte[] data, int from, int bytes) {
        int options = numbers.hasClock() ? OPTION_BYTES : 0;
        int tcpBytes = Tcp.BYTES + options + bytes;
        long tcp = packet + IpPacket.IPV6_BYTES;
        long ip = IpPacket.writeIp(tcp, tuple, fromPeer, 0, Ipv4.TTL, tcpBytes);
        Memory.put32(tcp, fromPeer ? Integer.rotateLeft(tuple.ports(), 16) : tuple.ports());
        Memory.put32(tcp + 4, numbers.sequence());
        Memory.put32(tcp + 8, numbers.acknowledgment());
        Memory.put32(tcp + 12, (Tcp.BYTES + options) / 4 << 28 | numbers.flags() << 16 | numbers.window());
        Memory.put32(tcp + 16, 0);
        if (options > 0) {
            Memory.put32(tcp + 20, TIMESTAMP_WORD);
            Memory.put32(tcp + 24, numbers.clock());
            Memory.put32(tcp + 28, numbers.echo());
        }
        MemorySegment.copy(data, from, Memory.ALL, Memory.BYTE, tcp + Tcp.BYTES + options, bytes);
        written.read(ip, (int) (tcp - ip) + tcpBytes);
        written.fillChecksum();
        return written;
    }

    /** Writes a datagram of UDP; see {@link #write}. */
    public IpPacket writeDatagram(FlowTuple tuple, boolean fromPeer, byte[] data) {
        int bytes = Udp.BYTES + data.length;
        long udp = packet + IpPacket.IPV6_BYTES;
        long ip = IpPacket.writeIp(udp, tuple, fromPeer, 0, Ipv4.TTL, bytes);
        Memory.put32(udp, fromPeer ? Integer.rotateLeft(tuple.ports(), 16) : tuple.ports());
        Memory.put32(udp + 4, bytes << 16);
        Memory.copy(data, 0, udp + Udp.BYTES, data.length);
        written.read(ip, (int) (udp - ip) + bytes);
        written.fillChecksum();
        return written;
    }

    /** Writes a segment without data; see {@link #write}. */
    public IpPacket writeBare(FlowTuple tuple, boolean fromPeer, Numbers numbers) {
        return write(tuple, fromPeer, numbers, NOTHING, 0, 0);
    }

    /** Copies a packet, to where there is room for a longer header; returns it, until the next one is written. */
    public IpPacket copy(IpPacket original) {
        MemorySegment.copy(Memory.ALL, original.address(), Memory.ALL, packet, original.length());
        written.read(packet, original.length());
        return written;
    }

    /** Copies a packet that was kept; returns it, until the next one is written. */
    public IpPacket copy(byte[] kept) {
        MemorySegment.copy(kept, 0, Memory.ALL, Memory.BYTE, packet, kept.length);
        written.read(packet, kept.length);
        return written;
    }
}
