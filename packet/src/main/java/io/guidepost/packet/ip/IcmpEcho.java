package io.guidepost.packet.ip;

import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/**
 * Answers echo requests, as ping sends, in their own frames (RFC 792, RFC 4443 section 4): the two parties change places, and
 * the type is another. One thread's.
 */
final class IcmpEcho {
    private final InterfaceQueue queue;
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Icmp icmp = new Icmp();
    private final Icmpv6 icmpv6 = new Icmpv6();

    IcmpEcho(InterfaceQueue queue) {
        this.queue = queue;
    }

    /** Takes in a packet to an address of this interface. */
    ControlOutcome take(Burst in, int index, HeaderParser headers) {
        boolean isIpv4 = headers.isIpv4();
        if (headers.protocol() != (isIpv4 ? HeaderParser.ICMP : HeaderParser.ICMPV6) || headers.isFragment()) {
            return ControlOutcome.IGNORED;
        }
        long packet = in.offset(index) + headers.networkOffset();
        int headerBytes = isIpv4 ? Ipv4.BYTES : Ipv6.BYTES;
        int type = headers.unchecked().u16(headers.transportOffset());
        // What has options or extension headers would need them in the answer too.
        if (headers.transportOffset() - headers.networkOffset() != headerBytes
                || type != (isIpv4 ? Icmp.ECHO : Icmpv6.ECHO) << 8
                || !MartianFilter.isUnicast(headers.sourceHigh(), headers.sourceLow())) {
            return ControlOutcome.IGNORED;
        }
        if (isIpv4 && !ipv4.wrap(packet, Ipv4.BYTES).isChecksumRight() || InternetChecksum.check(headers) != InternetChecksum.State.RIGHT) {
            return ControlOutcome.MALFORMED;
        }
        if (isIpv4) {
            ipv4.turn().ttl(Ipv4.TTL).fillChecksum();
            icmp.wrap(packet + Ipv4.BYTES, Icmp.BYTES).reply();
        } else {
            ipv6.wrap(packet, Ipv6.BYTES).turn().hopLimit(Ipv6.HOP_LIMIT);
            icmpv6.wrap(packet + Ipv6.BYTES, Icmpv6.BYTES).reply();
        }
        LinkPath.writeMacs(in.offset(index), headers.sourceMac(), queue.mac);
        if (queue.pass(in, index)) {
            queue.counts.count(InterfaceCount.ECHO_ANSWERED);
        }
        return ControlOutcome.ANSWERED;
    }
}
