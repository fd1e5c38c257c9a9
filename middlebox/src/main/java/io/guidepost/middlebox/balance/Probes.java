package io.guidepost.middlebox.balance;

import io.guidepost.middlebox.ipv4.Ipv4Interface;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Memory;
import io.guidepost.packet.frame.Checksum;
import io.guidepost.packet.frame.Headers;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Ipv4;

/**
 * Asks back ends whether they are well: of a TCP service by a SYN to its port, which a listener answers with SYN and ACK
 * and which is then reset; of a UDP service by an ICMP echo. One thread's.
 */
final class Probes {
    private static final int PORT = 1023;
    private static final int IDENTIFIER = 0x6770;
    private static final int TCP_BYTES = 20;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int SYN_ACK = 0x12;
    private static final int SEQUENCE = 0x6770_0000;

    private final Ipv4Interface link;
    private final Service service;
    private final Ipv4 ipv4 = new Ipv4();
    private final Icmp icmp = new Icmp();

    Probes(Ipv4Interface link, Service service) {
        this.link = link;
        this.service = service;
    }

    void ask(int backEnd) {
        if (service.protocol() == Headers.TCP) {
            segment(backEnd, SYN, SEQUENCE);
            return;
        }
        long room = link.room();
        if (room != Burst.NO_ROOM) {
            ipv4.wrap(room, Ipv4.BYTES).write(Headers.ICMP, link.own().address(), backEnd, Icmp.BYTES);
            icmp.wrap(room + Ipv4.BYTES, Icmp.BYTES).write(Icmp.ECHO, 0, IDENTIFIER << 16).fillChecksum(Icmp.BYTES);
            link.sendRoom(Ipv4.BYTES + Icmp.BYTES, backEnd);
        }
    }

    private void segment(int to, int flags, int sequence) {
        long room = link.room();
        if (room == Burst.NO_ROOM) {
            return;
        }
        int own = link.own().address();
        ipv4.wrap(room, Ipv4.BYTES).write(Headers.TCP, own, to, TCP_BYTES);
        long segment = room + Ipv4.BYTES;
        Memory.put32(segment, PORT << 16 | service.port());
        Memory.put32(segment + 4, sequence);
        Memory.put32(segment + 8, 0);
        Memory.put32(segment + 12, 0x5000_0000 | flags << 16 | 1024);
        Memory.put32(segment + 16, 0);
        long sum = Checksum.pseudoIpv4(own, to, Headers.TCP, TCP_BYTES);
        Memory.put16(segment + 16, Checksum.fold(Checksum.add(sum, segment, TCP_BYTES)));
        link.sendRoom(Ipv4.BYTES + TCP_BYTES, to);
    }

    /** Looks at a packet to the balancer's own address: 1 if a back end says that it is well, -1 if not, 0 if it is none. */
    int answer(Headers headers) {
        if (headers.isFragment()) {
            return 0;
        }
        long transport = headers.frame().address() + headers.transportOffset();
        if (service.protocol() == Headers.UDP) {
            boolean reply = headers.protocol() == Headers.ICMP
                    && Memory.u8(transport) == Icmp.ECHO_REPLY
                    && Memory.u16(transport + 4) == IDENTIFIER;
            return reply ? 1 : 0;
        }
        if (headers.protocol() != Headers.TCP
                || headers.ports() != (service.port() << 16 | PORT)
                || Memory.i32(transport + 8) != SEQUENCE + 1) {
            return 0;
        }
        if ((Memory.u8(transport + 13) & SYN_ACK) == SYN_ACK) {
            segment((int) headers.sourceLow(), RST, SEQUENCE + 1);
            return 1;
        }
        return (Memory.u8(transport + 13) & RST) != 0 ? -1 : 0;
    }
}
