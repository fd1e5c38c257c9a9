package io.guidepost.middlebox.link;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.frame.Arp;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.Ipv6;

/**
 * Asks and answers which station has an address: ARP (RFC 826) for IPv4, neighbour solicitations and advertisements
 * (RFC 4861 section 7.2) for IPv6. Only what is about addresses of this link is learnt. One thread's.
 */
final class Resolution {
    private static final int HOPS_MAX = 255;
    private static final int ARP_BYTES = Arp.BYTES;

    /** {@code ff02::1:ff00:0}, whose last 24 bits are those of the address asked for. */
    private static final long GROUP_HIGH = 0xff02L << 48;

    private static final long GROUP_LOW = 0x0000_0001_ff00_0000L;
    private static final long ALL_NODES_LOW = 1;

    /** Ethernet addresses of IPv6 groups: 33:33 and the last 32 bits of the group (RFC 2464 section 7). */
    private static final long GROUP_MAC = 0x3333L << 32;

    private static final int MESSAGE_BYTES = Icmpv6.NEIGHBOUR_BYTES + Icmpv6.LINK_OPTION_BYTES;

    private final LinkQueue queue;
    private final Arp arp = new Arp();
    private final Icmpv6 icmp = new Icmpv6();
    private final Ipv6 ipv6 = new Ipv6();

    Resolution(LinkQueue queue) {
        this.queue = queue;
    }

    /** Asks who has an address. */
    void ask(long high, long low, int vlan) {
        if (!Addresses.isIpv4(high, low)) {
            InterfaceAddress own = queue.own().ipv6();
            long groupLow = GROUP_LOW | low & 0xff_ffff;
            write(vlan, GROUP_MAC | groupLow & 0xffff_ffffL, own.high(), own.low(), GROUP_HIGH, groupLow, high, low, 0);
            return;
        }
        writeArp(vlan, Arp.REQUEST, queue.own().ipv4().ipv4(), LinkQueue.BROADCAST, 0, (int) low);
    }

    /** Takes in a message of ARP; always false. */
    boolean takeArp(int index) {
        HeaderParser headers = queue.headers();
        Burst in = queue.in();
        if (!arp.read(in.offset(index) + headers.networkOffset(), in.length(index) - headers.networkOffset())) {
            return queue.drop(Drop.MALFORMED);
        }
        int asked = arp.target();
        int sender = arp.sender();
        long mac = arp.senderMac();
        if (!queue.link.answersFor(0, Addresses.ipv4Low(asked))
                || !queue.own().ipv4().isOnLink(sender)
                || (mac & LinkQueue.GROUP_BIT) != 0) {
            return false;
        }
        int vlan = LinkQueue.vlan(in.offset(index));
        boolean isRequest = arp.operation() == Arp.REQUEST;
        if (sender != 0) {
            learn(0, Addresses.ipv4Low(sender), vlan, mac);
        }
        if (isRequest) {
            writeArp(vlan, Arp.REPLY, asked, mac, mac, sender);
        }
        return false;
    }

    private void learn(long high, long low, int vlan, long mac) {
        queue.link.neighbours.learn(high, low, vlan, mac, queue.nowMillis());
        queue.lookAfterWaiting();
    }

    private void writeArp(int vlan, int operation, int sender, long toMac, long targetMac, int target) {
        long room = queue.room(vlan);
        if (room != Burst.NO_ROOM) {
            arp.wrap(room, ARP_BYTES).write(operation, queue.link.mac, sender, targetMac, target);
            queue.sendRoomTo(ARP_BYTES, toMac, HeaderParser.ARP);
        }
    }

    /** Takes in a message of ICMPv6 if it is one of neighbour discovery; says whether it was. */
    boolean takeNeighbour(int index) {
        HeaderParser headers = queue.headers();
        int at = headers.transportOffset();
        int bytes = headers.networkEnd() - at;
        if (at < 0 || !icmp.read(queue.in().offset(index) + at, bytes) || !icmp.isNeighbourDiscovery()) {
            return false;
        }
        long packet = queue.in().offset(index) + headers.networkOffset();
        boolean right = ipv6.wrap(packet, Ipv6.BYTES).hopLimit() == HOPS_MAX
                && icmp.code() == 0
                && icmp.isChecksumRight(ipv6.pseudoSum(HeaderParser.ICMPV6, bytes), bytes);
        // A hop limit of 255 proves that no router has passed it on.
        if (!right) {
            queue.drop(Drop.MALFORMED);
        } else if (icmp.type() == Icmpv6.NEIGHBOUR_SOLICITATION) {
            solicited(index, bytes);
        } else if (icmp.type() == Icmpv6.NEIGHBOUR_ADVERTISEMENT) {
            long mac = linkOption(bytes, Icmpv6.TARGET_LINK, headers.sourceMac());
            heard(index, icmp.targetHigh(), icmp.targetLow(), mac);
        } else {
            queue.drop(Drop.NOT_OURS);
        }
        return true;
    }

    private void solicited(int index, int bytes) {
        HeaderParser headers = queue.headers();
        long high = icmp.targetHigh();
        long low = icmp.targetLow();
        long fromHigh = headers.sourceHigh();
        long fromLow = headers.sourceLow();
        if (!queue.link.answersFor(high, low)) {
            queue.drop(Drop.NOT_OURS);
            return;
        }
        int vlan = LinkQueue.vlan(queue.in().offset(index));
        // Who probes whether an address is free has none yet, so all nodes are told (RFC 4862 section 5.4.3).
        if ((fromHigh | fromLow) == 0) {
            write(vlan, GROUP_MAC | ALL_NODES_LOW, high, low, GROUP_HIGH, ALL_NODES_LOW, high, low, Icmpv6.OVERRIDE);
            return;
        }
        long mac = linkOption(bytes, Icmpv6.SOURCE_LINK, headers.sourceMac());
        heard(index, fromHigh, fromLow, mac);
        write(vlan, mac, high, low, fromHigh, fromLow, high, low, Icmpv6.SOLICITED | Icmpv6.OVERRIDE);
    }

    /** The Ethernet address in the first option, if it is the one that is asked for. */
    private long linkOption(int bytes, int option, long otherwise) {
        long at = icmp.address() + Icmpv6.NEIGHBOUR_BYTES;
        return bytes >= MESSAGE_BYTES && Memory.u16(at) == (option << 8 | 1)
                ? Memory.i64(at) & 0xffff_ffff_ffffL
                : otherwise;
    }

    private void heard(int index, long high, long low, long mac) {
        boolean isNear = queue.own().ipv6().isOnLink(high, low) || Addresses.isLinkLocal(high);
        if (isNear && (mac & LinkQueue.GROUP_BIT) == 0) {
            learn(high, low, LinkQueue.vlan(queue.in().offset(index)), mac);
        }
    }

    /** Writes a solicitation, or with flags an advertisement. */
    private void write(
            int vlan,
            long toMac,
            long fromHigh,
            long fromLow,
            long toHigh,
            long toLow,
            long targetHigh,
            long targetLow,
            int flags) {
        long room = queue.room(vlan);
        if (room == Burst.NO_ROOM) {
            return;
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
                        queue.link.mac);
        icmp.fillChecksum(ipv6.pseudoSum(HeaderParser.ICMPV6, MESSAGE_BYTES), MESSAGE_BYTES);
        queue.sendRoomTo(Ipv6.BYTES + MESSAGE_BYTES, toMac, HeaderParser.IPV6);
    }
}
