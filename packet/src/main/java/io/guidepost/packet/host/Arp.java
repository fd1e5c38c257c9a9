package io.guidepost.packet.host;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.Frame;
import io.guidepost.packet.frame.HeaderParser;

/**
 * Asks and answers which station has an IPv4 address (RFC 826).
 *
 * <pre>
 *  0 hardware 1   2 protocol 0x0800   4 lengths 6, 4   6 operation: 1 request, 2 reply
 *  8 sender's Ethernet address 6   14 sender's IPv4 4   18 target's Ethernet address 6   24 target's IPv4 4
 * </pre>
 */
final class Arp {
    static final int BYTES = 28;

    private static final long ETHERNET_IPV4 = 0x0001_0800_0604L;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;

    private final HostQueue host;

    Arp(HostQueue host) {
        this.host = host;
    }

    /**
     * Takes in a message.
     *
     * @param at where it begins in the frame
     * @param path to the station that sent the frame
     * @return whether the frame was answered, and so is gone
     */
    boolean take(Burst frames, int index, Frame frame, int at, long path) {
        if (frame.length() < at + BYTES) {
            return false;
        }
        long first = frame.i64(at);
        if (first >>> 16 != ETHERNET_IPV4) {
            return false;
        }
        int operation = (int) first & 0xffff;
        long target = frame.i32(at + 24);
        long sender = frame.i64(at + 8);
        int senderIp = frame.i32(at + 14);
        if (Unicast.isIpv4(senderIp) && (sender >>> 16 & OwnAddresses.GROUP_BIT) == 0) {
            long its = LinkPath.of(sender >>> 16, (path & 0x1000) == 0 ? -1 : (int) path & 0xfff);
            host.neighbours.learn(0, Addresses.ipv4Low(senderIp), its, host.nowNanos());
        }
        if (operation != REQUEST || !host.own.has(0, Addresses.ipv4Low((int) target))) {
            return false;
        }
        // In the request's own frame: the two parties change places.
        long body = frame.address() + at;
        put(body, REPLY, (int) target, sender >>> 16, senderIp);
        LinkPath.writeBefore(body, path, host.mac, HeaderParser.ARP);
        frames.reshape(index, frame.address(), at + BYTES);
        if (host.answer(frames, index)) {
            host.counts.add(HostCount.ARP_ANSWERED);
        }
        return true;
    }

    /** Asks everybody on the link who has an address. */
    void ask(long low) {
        int source = host.own.sourceFor(0, low);
        if (source < 0 || !host.hasRoom()) {
            return;
        }
        Burst answers = host.answers();
        long start = answers.room();
        long body = start + LinkPath.ETHERNET_BYTES;
        put(body, REQUEST, (int) host.own.low(source), 0, (int) low);
        LinkPath.writeBefore(body, LinkPath.BROADCAST, host.mac, HeaderParser.ARP);
        answers.append(LinkPath.ETHERNET_BYTES + BYTES);
        host.counts.add(HostCount.NEIGHBOUR_ASKED);
    }

    private void put(long body, int operation, int ownIp, long targetMac, int targetIp) {
        Memory.put64(body, ETHERNET_IPV4 << 16 | operation);
        Memory.put64(body + 8, host.mac << 16 | ownIp >>> 16);
        Memory.put64(body + 16, (long) ownIp << 48 | targetMac);
        Memory.put32(body + 24, targetIp);
    }
}
