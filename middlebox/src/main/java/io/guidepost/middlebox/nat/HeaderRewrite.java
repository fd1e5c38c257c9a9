package io.guidepost.middlebox.nat;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;

/** Changes addresses and ports of packets in place, and what their checksums make of it (RFC 1624). */
final class HeaderRewrite {
    static final int SOURCE = 12;
    static final int DESTINATION = 16;
    private static final int IP_CHECKSUM = 10;
    private static final int ICMP_CHECKSUM = 2;
    private static final int ICMP_IDENTIFIER = 4;

    private HeaderRewrite() {}

    /** Writes an address of an IPv4 header: what that changes for a checksum that covers it. */
    static long address(long packet, int place, int address) {
        int before = Memory.i32(packet + place);
        Memory.put32(packet + place, address);
        long change = InternetChecksum.change32(before, address);
        Memory.put16(packet + IP_CHECKSUM, InternetChecksum.apply(Memory.u16(packet + IP_CHECKSUM), change));
        return change;
    }

    /**
     * Writes a port, or the identifier of an ICMP query, and mends the transport's checksum, of which an error by ICMP may
     * quote nothing.
     *
     * @param source whether it is the source port
     * @param change what was changed of the addresses
     */
    static void port(NatPacket flow, boolean source, int port, long change) {
        long transport = flow.transport();
        int place = flow.number() == HeaderParser.ICMP ? ICMP_IDENTIFIER : source ? 0 : 2;
        int before = Memory.u16(transport + place);
        Memory.put16(transport + place, port);
        long all = change + InternetChecksum.change16(before, port);
        switch (flow.number()) {
            case HeaderParser.UDP -> {
                int checksum = Memory.u16(transport + Udp.CHECKSUM);
                int mended = flow.isPartial() ? InternetChecksum.applyPartial(checksum, change) : InternetChecksum.applyUdp(checksum, all);
                Memory.put16(transport + Udp.CHECKSUM, mended);
            }
            case HeaderParser.TCP -> {
                if (flow.bytes() >= Tcp.CHECKSUM + 2) {
                    int checksum = Memory.u16(transport + Tcp.CHECKSUM);
                    int mended = flow.isPartial() ? InternetChecksum.applyPartial(checksum, change) : InternetChecksum.apply(checksum, all);
                    Memory.put16(transport + Tcp.CHECKSUM, mended);
                }
            }
            default -> {
                int checksum = Memory.u16(transport + ICMP_CHECKSUM);
                Memory.put16(transport + ICMP_CHECKSUM, InternetChecksum.apply(checksum, all - change));
            }
        }
    }
}
