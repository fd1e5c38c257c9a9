package io.guidepost.scaffold.segment;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;
import java.lang.foreign.MemorySegment;

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
     * Gives a packet that came for a flow the addresses and ports that the local kernel has for it, whatever the sender's were.
     *
     * @return false if the packet is of another protocol or version than the flow: it is to be dropped
     */
    public boolean readdress(FlowTuple tuple) {
        if (protocol != tuple.protocol() || ipv4 != tuple.isIpv4()) {
            return false;
        }
        long change = ipv4 ? readdressIpv4(tuple) : readdressIpv6(tuple);
        int before = Memory.i32(transport);
        int after = Integer.rotateLeft(tuple.ports(), 16);
        Memory.put32(transport, after);
        change += InternetChecksum.change32(before, after);
        if (protocol == TCP) {
            Memory.put16(transport + Tcp.CHECKSUM, InternetChecksum.apply(Memory.u16(transport + Tcp.CHECKSUM), change));
        } else {
            Memory.put16(transport + Udp.CHECKSUM, InternetChecksum.applyUdp(Memory.u16(transport + Udp.CHECKSUM), change));
        }
        return true;
    }

    private long readdressIpv4(FlowTuple tuple) {
        long change = put(address + 12, (int) tuple.peerLow()) + put(address + 16, (int) tuple.ownLow());
        Memory.put16(address + IP_CHECKSUM, InternetChecksum.apply(Memory.u16(address + IP_CHECKSUM), change));
        return change;
    }

    private long readdressIpv6(FlowTuple tuple) {
        return put(address + 8, (int) (tuple.peerHigh() >>> 32))
                + put(address + 12, (int) tuple.peerHigh())
                + put(address + 16, (int) (tuple.peerLow() >>> 32))
                + put(address + 20, (int) tuple.peerLow())
                + put(address + 24, (int) (tuple.ownHigh() >>> 32))
                + put(address + 28, (int) tuple.ownHigh())
                + put(address + 32, (int) (tuple.ownLow() >>> 32))
                + put(address + 36, (int) tuple.ownLow());
    }

    private static long put(long at, int word) {
        int before = Memory.i32(at);
        Memory.put32(at, word);
        return InternetChecksum.change32(before, word);
    }

    /** Computes the checksum of TCP anew, after options or numbers were written. */
    public void fillTcpChecksum() {
        int bytes = length - (int) (transport - address);
        Memory.put16(transport + Tcp.CHECKSUM, 0);
        long pseudo = ipv4
                ? InternetChecksum.pseudoIpv4(Memory.i32(address + 12), Memory.i32(address + 16), TCP, bytes)
                : InternetChecksum.pseudoIpv6(
                        Memory.i64(address + 8),
                        Memory.i64(address + 16),
                        Memory.i64(address + 24),
                        Memory.i64(address + 32),
                        TCP,
                        bytes);
        Memory.put16(transport + Tcp.CHECKSUM, InternetChecksum.fold(InternetChecksum.add(pseudo, transport, bytes)));
    }
}
