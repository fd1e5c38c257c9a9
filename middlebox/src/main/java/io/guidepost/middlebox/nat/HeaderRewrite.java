package io.guidepost.middlebox.nat;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;

/** Rewrites addresses and ports of packets in place, with incremental checksum updates (RFC 1624). */
final class HeaderRewrite {
    static final int SOURCE = 12;
    static final int DESTINATION = 16;
    private static final int IP_CHECKSUM = 10;
    private static final int ICMP_CHECKSUM = 2;
    private static final int ICMP_IDENTIFIER = 4;

    private HeaderRewrite() {}

    /** Returns where a packet has a port, or the identifier of an ICMP query, which is both ports. */
    static int portPlace(NatProtocol protocol, boolean source) {
        return protocol == NatProtocol.ICMP ? ICMP_IDENTIFIER : source ? 0 : 2;
    }

    /** Writes an address of an IPv4 header; returns its checksum delta. */
    static long address(long packet, int place, int address) {
        int before = Memory.i32(packet + place);
        Memory.put32(packet + place, address);
        long change = InternetChecksum.change32(before, address);
        Memory.put16(packet + IP_CHECKSUM, InternetChecksum.apply(Memory.u16(packet + IP_CHECKSUM), change));
        return change;
    }

    /**
     * Writes a port, or the identifier of an ICMP query, and updates the transport's checksum, which an ICMP error may
     * not quote.
     *
     * @param source whether to write the source port
     * @param change checksum delta of the addresses
     */
    static void port(NatPacket flow, boolean source, int port, long change) {
        long transport = flow.transport();
        int place = portPlace(flow.protocol(), source);
        int before = Memory.u16(transport + place);
        Memory.put16(transport + place, port);
        long all = change + InternetChecksum.change16(before, port);
        switch (flow.protocol()) {
            case UDP -> {
                int checksum = Memory.u16(transport + Udp.CHECKSUM);
                int mended = flow.isPartial() ? InternetChecksum.applyPartial(checksum, change) : InternetChecksum.applyUdp(checksum, all);
                Memory.put16(transport + Udp.CHECKSUM, mended);
            }
            case TCP -> {
                if (flow.bytes() >= Tcp.CHECKSUM + 2) {
                    int checksum = Memory.u16(transport + Tcp.CHECKSUM);
                    int mended = flow.isPartial() ? InternetChecksum.applyPartial(checksum, change) : InternetChecksum.apply(checksum, all);
                    Memory.put16(transport + Tcp.CHECKSUM, mended);
                }
            }
            case ICMP -> {
                int checksum = Memory.u16(transport + ICMP_CHECKSUM);
                Memory.put16(transport + ICMP_CHECKSUM, InternetChecksum.apply(checksum, all - change));
            }
        }
    }
}
