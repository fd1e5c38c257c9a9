package io.guidepost.scaffold.segment;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One whole IP packet of TCP or UDP, without IP options or extension headers: a flyweight that {@link #read} points at it. Not
 * thread-safe.
 */
public final class IpPacket {
    public static final int TCP = HeaderParser.TCP;
    public static final int UDP = HeaderParser.UDP;

    /** Bytes before a packet that may be overwritten: there is room for a carriage header. */
    public static final int HEADROOM_BYTES = 16;

    public static final int IPV4_BYTES = 20;
    public static final int IPV6_BYTES = 40;

    private static final int IPV4_FIRST = 0x45;
    private static final int ICMP_BYTES = 8;
    private static final int PORT_UNREACHABLE = 0x0303;
    private static final int PORT_UNREACHABLE_IPV6 = 0x0104;
    private static final int FRAGMENT = 0x3fff;
    private static final int IP_CHECKSUM = 10;
    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGMENT = 8;
    private static final int FLAGS = 13;
    private static final int WINDOW = 14;

    private long address;
    private int length;
    private boolean ipv4;
    private int protocol;
    private long transport;
    private int headerBytes;

    /** Points at a packet; false if it is none of TCP or UDP, or is not whole. */
    public boolean read(long at, int bytes) {
        address = at;
        length = bytes;
        if (bytes < IPV4_BYTES) {
            return false;
        }
        ipv4 = Memory.u8(at) == IPV4_FIRST;
        if (ipv4) {
            protocol = Memory.u8(at + 9);
            transport = at + IPV4_BYTES;
            if (Memory.u16(at + 2) != bytes || (Memory.u16(at + 6) & FRAGMENT) != 0) {
                return false;
            }
        } else if (Memory.u8(at) >>> 4 == 6 && bytes >= IPV6_BYTES) {
            protocol = Memory.u8(at + 6);
            transport = at + IPV6_BYTES;
            if (Memory.u16(at + 4) != bytes - IPV6_BYTES) {
                return false;
            }
        } else {
            return false;
        }
        int left = length - (int) (transport - at);
        if (protocol == UDP) {
            headerBytes = Udp.BYTES;
            return left >= Udp.BYTES && Memory.u16(transport + 4) == left;
        }
        if (protocol != TCP || left < Tcp.BYTES) {
            return false;
        }
        headerBytes = TcpOptions.headerBytes(transport);
        return headerBytes >= Tcp.BYTES && headerBytes <= left;
    }

    /** Returns the address of the IP header. */
    public long address() {
        return address;
    }

    /** Returns the bytes of the packet. */
    public int length() {
        return length;
    }

    /** Returns whether it is of IPv4, else of IPv6. */
    public boolean isIpv4() {
        return ipv4;
    }

    /** Returns whether it is of TCP, else of UDP. */
    public boolean isTcp() {
        return protocol == TCP;
    }

    /** Returns the address of the header of TCP or UDP. */
    public long transport() {
        return transport;
    }

    /** Returns the address of the data behind the headers. */
    public long payload() {
        return transport + headerBytes;
    }

    /** Returns the bytes behind the headers. */
    public int payloadBytes() {
        return length - (int) (payload() - address);
    }

    /** Returns a copy of some of the data. */
    public byte[] payload(int from) {
        byte[] copy = new byte[payloadBytes() - from];
        MemorySegment.copy(Memory.ALL, Memory.BYTE, payload() + from, copy, 0, copy.length);
        return copy;
    }

    /** Returns a copy of the packet. */
    public byte[] bytes() {
        byte[] copy = new byte[length];
        MemorySegment.copy(Memory.ALL, Memory.BYTE, address, copy, 0, length);
        return copy;
    }

    /** Returns the sequence number, of TCP. */
    public int sequence() {
        return Memory.i32(transport + SEQUENCE);
    }

    /** Returns the acknowledgment number, of TCP. */
    public int acknowledgment() {
        return Memory.i32(transport + ACKNOWLEDGMENT);
    }

    /** Returns the flags, of TCP. */
    public int flags() {
        return Memory.u8(transport + FLAGS);
    }

    /** Returns whether a segment has one of some flags. */
    public boolean has(int flag) {
        return (flags() & flag) != 0;
    }

    /** Returns whether it answers a SYN. */
    public boolean isSynAck() {
        return isTcp() && (flags() & (Tcp.SYN | Tcp.ACK | Tcp.RST)) == (Tcp.SYN | Tcp.ACK);
    }

    /** Returns the window as it stands in the header, not scaled. */
    public int window() {
        return Memory.u16(transport + WINDOW);
    }

    /** Returns the flow of a packet that the local kernel has sent. */
    public FlowTuple tuple() {
        int ports = Memory.i32(transport);
        return ipv4
                ? new FlowTuple(
                        0, Addresses.ipv4Low(Memory.i32(address + 12)), 0, Addresses.ipv4Low(Memory.i32(address + 16)), ports, protocol)
                : new FlowTuple(
                        Memory.i64(address + 8),
                        Memory.i64(address + 16),
                        Memory.i64(address + 24),
                        Memory.i64(address + 32),
                        ports,
                        protocol);
    }

    /**
     * Points at the beginning of a packet that a message of ICMP quotes: the kernel says that no program has its port.
     *
     * @return the flow of the program that would have it; null if the message is another one
     */
    public @Nullable FlowTuple readUnreachable(long at, int bytes) {
        ipv4 = bytes > 0 && Memory.u8(at) == IPV4_FIRST;
        int header = ipv4 ? IPV4_BYTES : IPV6_BYTES;
        address = at + header + ICMP_BYTES;
        transport = address + header;
        if (bytes < 2 * (header + ICMP_BYTES)
                || Memory.u8(at) != Memory.u8(address)
                || Memory.u8(at + (ipv4 ? 9 : 6)) != (ipv4 ? HeaderParser.ICMP : HeaderParser.ICMPV6)
                || Memory.u16(at + header) != (ipv4 ? PORT_UNREACHABLE : PORT_UNREACHABLE_IPV6)) {
            return null;
        }
        protocol = Memory.u8(address + (ipv4 ? 9 : 6));
        return tuple().turned();
    }

    /**
     * Gives a packet that came for a flow the addresses and ports that the local kernel has for it, whatever the sender's were, and
     * whichever version of IP (RFC 7915, as each end has its own). Where that is IPv6, and the packet's is not, there are
     * {@link #HEADROOM_BYTES} and more before it.
     *
     * @return false if the packet is of another protocol than the flow: it is to be dropped
     */
    public boolean readdress(FlowTuple tuple) {
        if (protocol != tuple.protocol()) {
            return false;
        }
        int bytes = length - (int) (transport - address);
        int traffic = ipv4 ? Memory.u8(address + 1) : Memory.u16(address) >>> 4 & 0xff;
        int hops = Memory.u8(address + (ipv4 ? 8 : 7));
        long change = InternetChecksum.fold(pseudo(bytes));
        ipv4 = tuple.isIpv4();
        address = writeIp(transport, tuple, true, traffic, hops, bytes);
        length = (int) (transport - address) + bytes;
        int before = Memory.i32(transport);
        int after = Integer.rotateLeft(tuple.ports(), 16);
        Memory.put32(transport, after);
        change += pseudo(bytes) + InternetChecksum.change32(before, after);
        if (protocol == TCP) {
            Memory.put16(transport + Tcp.CHECKSUM, InternetChecksum.apply(Memory.u16(transport + Tcp.CHECKSUM), change));
        } else if (ipv4 || Memory.u16(transport + Udp.CHECKSUM) != 0) {
            Memory.put16(transport + Udp.CHECKSUM, InternetChecksum.applyUdp(Memory.u16(transport + Udp.CHECKSUM), change));
        } else {
            fillChecksum();
        }
        return true;
    }

    /**
     * Writes the IP header of a packet of a flow.
     *
     * @param fromPeer whether it is the peer's, for the local kernel, or the local kernel's, for the peer
     * @param bytes that follow, and are there or will be
     * @return the address of the header
     */
    static long writeIp(long transport, FlowTuple tuple, boolean fromPeer, int traffic, int hops, int bytes) {
        FlowTuple sent = fromPeer ? tuple.turned() : tuple;
        if (tuple.isIpv4()) {
            long at = transport - IPV4_BYTES;
            Memory.put32(at, IPV4_FIRST << 24 | traffic << 16 | IPV4_BYTES + bytes);
            Memory.put32(at + 4, Ipv4.DONT_FRAGMENT);
            Memory.put32(at + 8, hops << 24 | tuple.protocol() << 16);
            Memory.put32(at + 12, (int) sent.ownLow());
            Memory.put32(at + 16, (int) sent.peerLow());
            Memory.put16(at + IP_CHECKSUM, InternetChecksum.of(at, IPV4_BYTES));
            return at;
        }
        long at = transport - IPV6_BYTES;
        Memory.put32(at, 6 << 28 | traffic << 20);
        Memory.put32(at + 4, bytes << 16 | tuple.protocol() << 8 | hops);
        Memory.put64(at + 8, sent.ownHigh());
        Memory.put64(at + 16, sent.ownLow());
        Memory.put64(at + 24, sent.peerHigh());
        Memory.put64(at + 32, sent.peerLow());
        return at;
    }

    /** Computes the checksum of TCP or UDP anew, after the packet was written. */
    public void fillChecksum() {
        int field = protocol == TCP ? Tcp.CHECKSUM : Udp.CHECKSUM;
        int bytes = length - (int) (transport - address);
        Memory.put16(transport + field, 0);
        int checksum = InternetChecksum.fold(InternetChecksum.add(pseudo(bytes), transport, bytes));
        Memory.put16(transport + field, checksum == 0 ? 0xffff : checksum);
    }

    private long pseudo(int bytes) {
        return ipv4
                ? InternetChecksum.pseudoIpv4(Memory.i32(address + 12), Memory.i32(address + 16), protocol, bytes)
                : InternetChecksum.pseudoIpv6(
                        Memory.i64(address + 8),
                        Memory.i64(address + 16),
                        Memory.i64(address + 24),
                        Memory.i64(address + 32),
                        protocol,
                        bytes);
    }
}
