package io.guidepost.middlebox.balance;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;

/**
 * Health checks of back ends: for a TCP service a SYN to its port, answered by SYN and ACK and then reset; for a UDP
 * service an ICMP echo. One thread's.
 */
final class HealthChecks {
    private static final int PORT = 1023;
    private static final int IDENTIFIER = 0x6770;
    private static final int WINDOW = 1024;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int SYN_ACK = 0x12;
    private static final int SEQUENCE = 0x6770_0000;

    private final LinkQueue queue;
    private final VirtualService service;
    private final InterfaceAddress own;
    private final int vlan;
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Tcp tcp = new Tcp();
    private final Icmp icmp = new Icmp();
    private final Icmpv6 icmpv6 = new Icmpv6();

    HealthChecks(LinkQueue queue, LoadBalancer balancer) {
        this.queue = queue;
        this.service = balancer.service;
        this.own = balancer.own();
        this.vlan = balancer.vlan;
    }

    void ask(LoadBalancer.BackEnd backEnd) {
        if (service.protocol() == HeaderParser.TCP) {
            segment(backEnd.high(), backEnd.low(), SYN, SEQUENCE);
        } else {
            echo(backEnd.high(), backEnd.low());
        }
    }

    private void echo(long high, long low) {
        long room = queue.room(vlan);
        if (room == Burst.NO_ROOM) {
            return;
        }
        if (own.isIpv4()) {
            ipv4.wrap(room, Ipv4.BYTES).write(HeaderParser.ICMP, own.ipv4(), (int) low, Icmp.BYTES);
            icmp.wrap(room + Ipv4.BYTES, Icmp.BYTES).write(Icmp.ECHO, 0, IDENTIFIER << 16).fillChecksum(Icmp.BYTES);
            queue.sendRoom(Ipv4.BYTES + Icmp.BYTES, high, low);
            return;
        }
        ipv6.wrap(room, Ipv6.BYTES).write(HeaderParser.ICMPV6, own.high(), own.low(), high, low, Icmpv6.BYTES);
        icmpv6.wrap(room + Ipv6.BYTES, Icmpv6.BYTES)
                .write(Icmpv6.ECHO, 0, IDENTIFIER << 16)
                .fillChecksum(ipv6.pseudoSum(HeaderParser.ICMPV6, Icmpv6.BYTES), Icmpv6.BYTES);
        queue.sendRoom(Ipv6.BYTES + Icmpv6.BYTES, high, low);
    }

    private void segment(long high, long low, int flags, int sequence) {
        long room = queue.room(vlan);
        if (room == Burst.NO_ROOM) {
            return;
        }
        long sum;
        int headerBytes;
        if (own.isIpv4()) {
            headerBytes = Ipv4.BYTES;
            ipv4.wrap(room, Ipv4.BYTES).write(HeaderParser.TCP, own.ipv4(), (int) low, Tcp.BYTES);
            sum = InternetChecksum.pseudoIpv4(own.ipv4(), (int) low, HeaderParser.TCP, Tcp.BYTES);
        } else {
            headerBytes = Ipv6.BYTES;
            ipv6.wrap(room, Ipv6.BYTES).write(HeaderParser.TCP, own.high(), own.low(), high, low, Tcp.BYTES);
            sum = ipv6.pseudoSum(HeaderParser.TCP, Tcp.BYTES);
        }
        tcp.wrap(room + headerBytes, Tcp.BYTES)
                .write(PORT, service.port(), sequence, 0, flags, WINDOW)
                .fillChecksum(sum, Tcp.BYTES);
        queue.sendRoom(headerBytes + Tcp.BYTES, high, low);
    }

    /**
     * Parses a packet to the balancer's own address: 1 for a healthy back end, -1 for a refusing one, 0 for any other
     * packet.
     */
    int answer(HeaderParser headers) {
        if (headers.isFragment() || headers.transportOffset() < 0) {
            return 0;
        }
        long transport = headers.unchecked().address() + headers.transportOffset();
        if (service.protocol() == HeaderParser.UDP) {
            boolean isIpv4 = Addresses.isIpv4(service.high(), service.low());
            boolean reply = headers.protocol() == (isIpv4 ? HeaderParser.ICMP : HeaderParser.ICMPV6)
                    && Memory.u8(transport) == (isIpv4 ? Icmp.ECHO_REPLY : Icmpv6.ECHO_REPLY)
                    && Memory.u16(transport + 4) == IDENTIFIER;
            return reply ? 1 : 0;
        }
        if (headers.protocol() != HeaderParser.TCP
                || headers.ports() != (service.port() << 16 | PORT)
                || Memory.i32(transport + 8) != SEQUENCE + 1) {
            return 0;
        }
        if ((Memory.u8(transport + 13) & SYN_ACK) == SYN_ACK) {
            segment(headers.sourceHigh(), headers.sourceLow(), RST, SEQUENCE + 1);
            return 1;
        }
        return (Memory.u8(transport + 13) & RST) != 0 ? -1 : 0;
    }
}
