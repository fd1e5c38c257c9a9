package io.guidepost.packet.host;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.Frame;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;

/**
 * Asks and answers which station has an IPv6 address (RFC 4861 sections 4.3 and 4.4, 7.1 and 7.2).
 *
 * <pre>
 *  0 type: 135 solicitation, 136 advertisement   1 code 0   2 checksum   4 flags of an advertisement
 *  8 target 16   24 option: type 1 source's, 2 target's Ethernet address; length in 8 bytes 1; the address 6
 * </pre>
 */
final class NeighbourDiscovery {
    static final int SOLICITATION = 135;
    static final int ADVERTISEMENT = 136;

    private static final int BYTES = 24;
    private static final int OPTION_BYTES = 8;
    private static final int IPV6_BYTES = 40;
    private static final int SOLICITED_OVERRIDE = 0x6000_0000;
    private static final int OVERRIDE = 0x2000_0000;
    private static final int SOURCE_OPTION = 1;
    private static final int TARGET_OPTION = 2;

    /** {@code ff02::1:ff00:0}, whose last 24 bits are those of the address asked for. */
    private static final long GROUP_HIGH = 0xff02L << 48;

    private static final long GROUP_LOW = 0x0000_0001_ff00_0000L;

    /** Ethernet addresses of IPv6 groups: 33:33 and the last 32 bits of the group (RFC 2464 section 7). */
    private static final long GROUP_MAC = 0x3333L << 32;

    private static final long ALL_NODES_LOW = 1;
    private static final int HOPS_MAX = 255;

    private final HostQueue host;

    NeighbourDiscovery(HostQueue host) {
        this.host = host;
    }

    /**
     * Takes in a solicitation or an advertisement whose checksum is right.
     *
     * @param at where the ICMPv6 message begins in the frame
     * @return whether it was answered
     */
    boolean take(HeaderParser headers, int at, long path) {
        Frame frame = headers.frame();
        int bytes = headers.networkEnd() - at;
        // A hop limit of 255 proves that no router has passed it on.
        if (bytes < BYTES || frame.u8(headers.networkOffset() + 7) != HOPS_MAX || frame.u8(at + 1) != 0) {
            return false;
        }
        long targetHigh = frame.i64(at + 8);
        long targetLow = frame.i64(at + 16);
        if (frame.u8(at) == ADVERTISEMENT) {
            learn(frame, at, bytes, targetHigh, targetLow, path);
            return false;
        }
        if (!host.own.has(targetHigh, targetLow)) {
            return false;
        }
        boolean probe = (headers.sourceHigh() | headers.sourceLow()) == 0;
        if (!probe && !Unicast.isIpv6(headers.sourceHigh(), headers.sourceLow()) || !host.hasRoom()) {
            return false;
        }
        // Who probes whether an address is free has none yet, so all nodes are told (RFC 4862 section 5.4.3).
        long way = probe ? GROUP_MAC + ALL_NODES_LOW << 16 | path & 0xffff : path;
        put(
                way,
                ADVERTISEMENT << 24,
                probe ? OVERRIDE : SOLICITED_OVERRIDE,
                host.own.indexOf(targetHigh, targetLow),
                probe ? GROUP_HIGH : headers.sourceHigh(),
                probe ? ALL_NODES_LOW : headers.sourceLow(),
                targetHigh,
                targetLow,
                TARGET_OPTION);
        host.counts.add(HostCount.NEIGHBOUR_ANSWERED);
        return true;
    }

    private void learn(Frame frame, int at, int bytes, long targetHigh, long targetLow, long path) {
        long its = path;
        if (bytes >= BYTES + OPTION_BYTES && frame.u16(at + BYTES) == (TARGET_OPTION << 8 | 1)) {
            long mac = frame.i64(at + BYTES) & 0xffff_ffff_ffffL;
            its = mac << 16 | path & 0xffff;
        }
        if ((its >>> 16 & OwnAddresses.GROUP_BIT) == 0) {
            host.neighbours.learn(targetHigh, targetLow, its, host.nowNanos());
        }
    }

    /** Asks the group of an address who has it. */
    void ask(long high, long low) {
        int source = host.own.sourceFor(high, low);
        if (source < 0 || !host.hasRoom()) {
            return;
        }
        long groupLow = GROUP_LOW | low & 0xff_ffff;
        put(
                (GROUP_MAC | groupLow & 0xffff_ffffL) << 16,
                SOLICITATION << 24,
                0,
                source,
                GROUP_HIGH,
                groupLow,
                high,
                low,
                SOURCE_OPTION);
        host.counts.add(HostCount.NEIGHBOUR_ASKED);
    }

    private void put(
            long path, int type, int flags, int source, long toHigh, long toLow, long targetHigh, long targetLow, int option) {
        Burst answers = host.answers();
        long start = answers.room();
        long ip = start + LinkPath.headerBytes(path);
        int bytes = BYTES + OPTION_BYTES;
        LinkPath.writeBefore(ip, path, host.mac, HeaderParser.IPV6);
        long fromHigh = host.own.high(source);
        long fromLow = host.own.low(source);
        Memory.put64(ip, 6L << 60 | (long) bytes << 16 | HeaderParser.ICMPV6 << 8 | HOPS_MAX);
        Memory.put64(ip + 8, fromHigh);
        Memory.put64(ip + 16, fromLow);
        Memory.put64(ip + 24, toHigh);
        Memory.put64(ip + 32, toLow);
        long icmp = ip + IPV6_BYTES;
        Memory.put32(icmp, type);
        Memory.put32(icmp + 4, flags);
        Memory.put64(icmp + 8, targetHigh);
        Memory.put64(icmp + 16, targetLow);
        Memory.put64(icmp + BYTES, (long) option << 56 | 1L << 48 | host.mac);
        long pseudo = InternetChecksum.pseudoIpv6(fromHigh, fromLow, toHigh, toLow, HeaderParser.ICMPV6, bytes);
        Memory.put16(icmp + 2, InternetChecksum.fold(InternetChecksum.add(pseudo, icmp, bytes)));
        answers.append((int) (icmp - start) + bytes);
    }
}
