package io.guidepost.scaffold.segment;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.scaffold.wire.LabelHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Tells the local kernel what a router says of a packet that its program sent, and a gateway has given labels (RFC 4443): in ICMP of the
 * program's version of IP, as if the other end of the flow said it, about the packet as the program sent it (RFC 7915 section 4.2); but
 * a checksum of TCP or UDP, which covers more than what is quoted, is left. Belongs to one thread.
 */
public final class IcmpTranslator {
    /** Least MTU of a link of IPv6 (RFC 8200 section 5): a router that names a smaller one is not believed. */
    private static final int MTU_MIN = 1_280;

    /** Bytes of a message of ICMP (RFC 1812 section 4.3.2.3), and of ICMPv6 (RFC 4443 section 2.4). */
    private static final int BYTES_MAX = 576;

    private static final int BYTES_MAX_IPV6 = 1_280;
    private static final int SEQUENCE = 4;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES_MAX_IPV6, Long.BYTES);
    private final long room = memory.address();
    private int length;

    /**
     * Writes a message.
     *
     * @param tuple of the flow
     * @param error address of the router's message; its checksum is right, and it quotes a packet of the flow with its first 8 bytes of TCP
     *     or UDP
     * @param bytes of it
     * @param shift what was added to the sequence numbers that the program sent
     * @return whether there is one: that a packet is too big, or that it was too long on its way
     */
    public boolean write(FlowTuple tuple, long error, int bytes, int shift) {
        int type = Memory.u8(error);
        boolean ipv4 = tuple.isIpv4();
        int header = ipv4 ? IpPacket.IPV4_BYTES : IpPacket.IPV6_BYTES;
        long quoted = error + Icmpv6.BYTES;
        if (type != Icmpv6.PACKET_TOO_BIG && type != Icmpv6.TIME_EXCEEDED || Memory.u16(quoted + 4) > 0xffff - header) {
            return false;
        }
        int quotedBytes = bytes - Icmpv6.BYTES - LabelHeader.BYTES;
        int some = Math.min(quotedBytes, (ipv4 ? BYTES_MAX : BYTES_MAX_IPV6) - Icmp.BYTES - 2 * header);
        long message = room + header;
        long transport = message + Icmp.BYTES + header;
        int traffic = Memory.u16(quoted) >>> 4 & 0xff;
        IpPacket.writeIp(transport, tuple, false, traffic, Memory.u8(quoted + 7), Memory.u16(quoted + 4));
        Memory.copy(quoted + LabelHeader.BYTES, transport, some);
        if (tuple.protocol() == IpPacket.TCP) {
            Memory.put32(transport + SEQUENCE, Memory.i32(transport + SEQUENCE) - shift);
        }
        int messageBytes = Icmp.BYTES + header + some;
        int protocol = ipv4 ? HeaderParser.ICMP : HeaderParser.ICMPV6;
        FlowTuple ofError = new FlowTuple(tuple.ownHigh(), tuple.ownLow(), tuple.peerHigh(), tuple.peerLow(), 0, protocol);
        IpPacket.writeIp(message, ofError, true, 0, Ipv4.TTL, messageBytes);
        int mtu = type == Icmpv6.PACKET_TOO_BIG ? Math.max(MTU_MIN, Memory.i32(error + 4) & Integer.MAX_VALUE) : 0;
        if (ipv4 && type == Icmpv6.PACKET_TOO_BIG) {
            int shorter = Math.min(mtu, 0xffff) - (IpPacket.IPV6_BYTES - IpPacket.IPV4_BYTES);
            new Icmp().wrap(message, messageBytes).write(Icmp.UNREACHABLE, Icmp.FRAGMENTATION_NEEDED, shorter).fillChecksum(messageBytes);
        } else if (ipv4) {
            new Icmp().wrap(message, messageBytes).write(Icmp.TIME_EXCEEDED, Memory.u8(error + 1), 0).fillChecksum(messageBytes);
        } else {
            long pseudo = InternetChecksum.pseudoIpv6(
                    tuple.peerHigh(), tuple.peerLow(), tuple.ownHigh(), tuple.ownLow(), HeaderParser.ICMPV6, messageBytes);
            new Icmpv6().wrap(message, messageBytes).write(type, Memory.u8(error + 1), mtu).fillChecksum(pseudo, messageBytes);
        }
        length = header + messageBytes;
        return true;
    }

    /** Returns the address of the message, with its IP header, until the next one is written. */
    public long address() {
        return room;
    }

    /** Returns the bytes of the message. */
    public int length() {
        return length;
    }
}
