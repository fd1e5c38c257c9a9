package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.Arp;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv6;

/**
 * Address resolution: ARP (RFC 826, RFC 5227) for IPv4, neighbour solicitations and advertisements (RFC 4861 section 7.2) for
 * IPv6. Asks for neighbours, answers for the interface's own addresses, to the station that the request came from, and
 * gives what neighbours tell to the {@link NeighbourCache}. One thread's.
 */
final class ArpNdp {
    private static final int HOPS_MAX = 255;

    /** {@code ff02::1:ff00:0}, whose last 24 bits are those of the address asked for. */
    private static final long GROUP_HIGH = 0xff02L << 48;

    private static final long GROUP_LOW = 0x0000_0001_ff00_0000L;
    private static final long ALL_NODES_LOW = 1;

    /** Ethernet addresses of IPv6 groups: 33:33 and the last 32 bits of the group (RFC 2464 section 7). */
    private static final long GROUP_MAC = 0x3333L << 32;

    private static final long BROADCAST_MAC = 0xffff_ffff_ffffL;
    private static final int MESSAGE_BYTES = Icmpv6.NEIGHBOUR_BYTES + Icmpv6.LINK_OPTION_BYTES;

    private final InterfaceQueue queue;
    private final Arp arp = new Arp();
    private final Icmpv6 icmp = new Icmpv6();
    private final Ipv6 ipv6 = new Ipv6();

    ArpNdp(InterfaceQueue queue) {
        this.queue = queue;
    }

    /** Asks all stations of a VLAN which of them has an address. */
    void ask(long high, long low, int vlan) {
        int source = queue.own.sourceFor(high, low);
        if (source < 0) {
            return;
        }
        long ownHigh = queue.own.high(source);
        long ownLow = queue.own.low(source);
        boolean asked;
        if (Addresses.isIpv4(high, low)) {
            asked = writeArp(LinkPath.of(BROADCAST_MAC, vlan), Arp.REQUEST, (int) ownLow, 0, (int) low);
        } else {
            long groupLow = GROUP_LOW | low & 0xff_ffff;
            long path = LinkPath.of(GROUP_MAC | groupLow & 0xffff_ffffL, vlan);
            asked = writeNdp(path, ownHigh, ownLow, GROUP_HIGH, groupLow, high, low, 0);
        }
        if (asked) {
            queue.counts.count(InterfaceCount.NEIGHBOUR_ASKED);
        }
    }

    /** Takes in a message of ARP that came by a way. */
    ControlOutcome takeArp(HeaderParser headers, long path) {
        if (!arp.read(headers.unchecked().address() + headers.networkOffset(), headers.unchecked().length() - headers.networkOffset())) {
            return ControlOutcome.MALFORMED;
        }
        int asked = arp.target();
        int sender = arp.sender();
        long mac = arp.senderMac();
        boolean isRequest = arp.operation() == Arp.REQUEST;
        ControlOutcome learnt =
                MartianFilter.isUnicastIpv4(sender) ? learn(0, Addresses.ipv4Low(sender), mac, path) : ControlOutcome.IGNORED;
        if (!isRequest || !queue.face.hasAddress(0, Addresses.ipv4Low(asked))) {
            return learnt;
        }
        if (writeArp(path, Arp.REPLY, asked, mac, sender)) {
            queue.counts.count(InterfaceCount.ARP_ANSWERED);
        }
        return ControlOutcome.ANSWERED;
    }

    private ControlOutcome learn(long high, long low, long mac, long path) {
        boolean isStation = mac != 0 && (mac & InterfaceQueue.GROUP_BIT) == 0;
        if (!isStation || !queue.face.neighbours.learn(high, low, LinkPath.vlan(path), mac, queue.nowMillis())) {
            return ControlOutcome.IGNORED;
        }
        queue.release();
        return ControlOutcome.LEARNT;
    }

    private boolean writeArp(long path, int operation, int sender, long targetMac, int target) {
        long room = queue.room(path);
        if (room == Burst.NO_ROOM) {
            return false;
        }
        arp.wrap(room, Arp.BYTES).write(operation, queue.mac, sender, targetMac, target);
        queue.sendRoom(path, HeaderParser.ARP, Arp.BYTES);
        return true;
    }

    /** Returns true if a packet is a message of neighbour discovery, which {@link #takeNdp} takes. */
    static boolean isNdp(HeaderParser headers) {
        if (headers.protocol() != HeaderParser.ICMPV6 || !headers.isIpv6() || headers.isFragment()) {
            return false;
        }
        int type = headers.unchecked().u8(headers.transportOffset());
        return type >= Icmpv6.ROUTER_SOLICITATION && type <= Icmpv6.REDIRECT;
    }

    /** Takes in a message of neighbour discovery that came by a way. */
    ControlOutcome takeNdp(HeaderParser headers, long path) {
        long start = headers.unchecked().address();
        int bytes = headers.networkEnd() - headers.transportOffset();
        // A hop limit of 255 proves that no router has passed it on.
        if (!icmp.read(start + headers.transportOffset(), bytes)
                || icmp.code() != 0
                || ipv6.wrap(start + headers.networkOffset(), Ipv6.BYTES).hopLimit() != HOPS_MAX
                || InternetChecksum.check(headers) != InternetChecksum.State.RIGHT) {
            return ControlOutcome.MALFORMED;
        }
        if (icmp.type() == Icmpv6.NEIGHBOUR_SOLICITATION) {
            return solicited(headers, bytes, path);
        }
        if (icmp.type() == Icmpv6.NEIGHBOUR_ADVERTISEMENT) {
            return learn(icmp.targetHigh(), icmp.targetLow(), linkOption(bytes, Icmpv6.TARGET_LINK, path), path);
        }
        return ControlOutcome.IGNORED;
    }

    private ControlOutcome solicited(HeaderParser headers, int bytes, long path) {
        long high = icmp.targetHigh();
        long low = icmp.targetLow();
        long fromHigh = headers.sourceHigh();
        long fromLow = headers.sourceLow();
        boolean isProbe = (fromHigh | fromLow) == 0;
        if (!queue.face.hasAddress(high, low) || !isProbe && !MartianFilter.isUnicastIpv6(fromHigh, fromLow)) {
            return ControlOutcome.IGNORED;
        }
        boolean isWritten;
        if (isProbe) {
            // A node that probes whether an address is free has none yet, so all nodes are told (RFC 4862 section 5.4.3).
            long all = LinkPath.of(GROUP_MAC | ALL_NODES_LOW, LinkPath.vlan(path));
            isWritten = writeNdp(all, high, low, GROUP_HIGH, ALL_NODES_LOW, high, low, Icmpv6.OVERRIDE);
        } else {
            learn(fromHigh, fromLow, linkOption(bytes, Icmpv6.SOURCE_LINK, path), path);
            isWritten = writeNdp(path, high, low, fromHigh, fromLow, high, low, Icmpv6.SOLICITED | Icmpv6.OVERRIDE);
        }
        if (isWritten) {
            queue.counts.count(InterfaceCount.NEIGHBOUR_ANSWERED);
        }
        return ControlOutcome.ANSWERED;
    }

    /** The Ethernet address in the first option, if that is the one that is asked for, else the sender's. */
    private long linkOption(int bytes, int option, long path) {
        long at = icmp.address() + Icmpv6.NEIGHBOUR_BYTES;
        return bytes >= MESSAGE_BYTES && Memory.u16(at) == (option << 8 | 1)
                ? Memory.i64(at) & 0xffff_ffff_ffffL
                : LinkPath.mac(path);
    }

    /** Writes a solicitation, or with flags an advertisement; returns false if there is no room. */
    private boolean writeNdp(
            long path, long fromHigh, long fromLow, long toHigh, long toLow, long targetHigh, long targetLow, int flags) {
        long room = queue.room(path);
        if (room == Burst.NO_ROOM) {
            return false;
        }
        boolean asks = flags == 0;
        ipv6.wrap(room, Ipv6.BYTES)
                .write(HeaderParser.ICMPV6, fromHigh, fromLow, toHigh, toLow, MESSAGE_BYTES)
                .hopLimit(HOPS_MAX);
        icmp.wrap(room + Ipv6.BYTES, MESSAGE_BYTES)
                .writeNeighbour(
                        asks ? Icmpv6.NEIGHBOUR_SOLICITATION : Icmpv6.NEIGHBOUR_ADVERTISEMENT,
                        flags,
                        targetHigh,
                        targetLow,
                        asks ? Icmpv6.SOURCE_LINK : Icmpv6.TARGET_LINK,
                        queue.mac);
        icmp.fillChecksum(ipv6.pseudoSum(HeaderParser.ICMPV6, MESSAGE_BYTES), MESSAGE_BYTES);
        queue.sendRoom(path, HeaderParser.IPV6, Ipv6.BYTES + MESSAGE_BYTES);
        return true;
    }
}
