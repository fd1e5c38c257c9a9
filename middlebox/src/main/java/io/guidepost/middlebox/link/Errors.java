package io.guidepost.middlebox.link;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/**
 * Tells senders by ICMP why their packets do not go on, unless RFC 1812 section 4.3.2.7, RFC 4443 section 2.4 or the bound
 * of errors in a second forbid it. Packets must not have been changed before. One thread's.
 */
final class Errors {
    private final LinkQueue queue;
    private final int secondMax;
    private final Icmp icmp = new Icmp();
    private final Ipv4 ipv4 = new Ipv4();
    private final Icmpv6 icmpv6 = new Icmpv6();
    private final Ipv6 ipv6 = new Ipv6();
    private long secondBeganMillis;
    private int inSecond;

    /** Errors of which there are at most so many in a second. */
    Errors(LinkQueue queue, int secondMax) {
        this.queue = queue;
        this.secondMax = secondMax;
    }

    /** As many hops as the packet may have are behind it. */
    void expired(int index) {
        if (queue.headers().isIpv6()) {
            tellIpv6(index, Icmpv6.TIME_EXCEEDED, 0);
        } else {
            tellIpv4(index, Icmp.TIME_EXCEEDED, 0, 0);
        }
    }

    /** There is no way to its destination. */
    void unreachable(int index) {
        if (queue.headers().isIpv6()) {
            tellIpv6(index, Icmpv6.UNREACHABLE, 0);
        } else {
            tellIpv4(index, Icmp.UNREACHABLE, 0, 0);
        }
    }

    /** It is longer than the next link takes; of IPv4 only those are told who forbid fragments. */
    void tooLong(int index, int bytesMax) {
        if (queue.headers().isIpv6()) {
            tellIpv6(index, Icmpv6.PACKET_TOO_BIG, bytesMax);
        } else if ((ipv4.wrap(packet(index), Ipv4.BYTES).flags() & Ipv4.DONT_FRAGMENT) != 0) {
            tellIpv4(index, Icmp.UNREACHABLE, Icmp.FRAGMENTATION_NEEDED, bytesMax);
        }
    }

    private long packet(int index) {
        return queue.in().offset(index) + queue.headers().networkOffset();
    }

    private void tellIpv4(int index, int type, int code, int rest) {
        long room = mayTellIpv4(index) ? queue.room(LinkQueue.vlan(queue.in().offset(index))) : Burst.NO_ROOM;
        if (room == Burst.NO_ROOM) {
            return;
        }
        HeaderParser headers = queue.headers();
        int bytes = headers.networkEnd() - headers.networkOffset();
        int message = Icmp.BYTES + Math.min(bytes, Limits.ERROR_BYTES_MAX - Ipv4.BYTES - Icmp.BYTES);
        ipv4.wrap(room, Limits.ERROR_BYTES_MAX)
                .write(HeaderParser.ICMP, queue.own().ipv4().ipv4(), (int) headers.sourceLow(), message)
                .fillChecksum();
        Memory.copy(packet(index), room + Ipv4.BYTES + Icmp.BYTES, message - Icmp.BYTES);
        icmp.wrap(room + Ipv4.BYTES, message).write(type, code, rest).fillChecksum(message);
        queue.sendRoomTo(Ipv4.BYTES + message, headers.sourceMac(), HeaderParser.IPV4);
    }

    private void tellIpv6(int index, int type, int rest) {
        long room = mayTellIpv6(index) ? queue.room(LinkQueue.vlan(queue.in().offset(index))) : Burst.NO_ROOM;
        if (room == Burst.NO_ROOM) {
            return;
        }
        HeaderParser headers = queue.headers();
        InterfaceAddress own = queue.own().ipv6();
        int bytes = headers.networkEnd() - headers.networkOffset();
        int message = Icmpv6.BYTES + Math.min(bytes, Limits.ERROR_BYTES_MAX_IPV6 - Ipv6.BYTES - Icmpv6.BYTES);
        ipv6.wrap(room, Ipv6.BYTES)
                .write(HeaderParser.ICMPV6, own.high(), own.low(), headers.sourceHigh(), headers.sourceLow(), message);
        Memory.copy(packet(index), room + Ipv6.BYTES + Icmpv6.BYTES, message - Icmpv6.BYTES);
        icmpv6.wrap(room + Ipv6.BYTES, message)
                .write(type, 0, rest)
                .fillChecksum(ipv6.pseudoSum(HeaderParser.ICMPV6, message), message);
        queue.sendRoomTo(Ipv6.BYTES + message, headers.sourceMac(), HeaderParser.IPV6);
    }

    private boolean mayTellIpv4(int index) {
        HeaderParser headers = queue.headers();
        InterfaceAddress own = queue.own().ipv4();
        int source = (int) headers.sourceLow();
        int destination = (int) headers.destinationLow();
        return headers.isFirstFragment()
                && headers.destinationMac() == queue.link.mac
                && source != 0
                && source >>> 28 != 0xe
                && source >>> 28 != 0xf
                && source >>> 24 != 127
                && destination >>> 28 != 0xe
                && !own.isBroadcast(source)
                && !own.isBroadcast(destination)
                && !(headers.protocol() == HeaderParser.ICMP && isErrorType(type(index)))
                && isWithinBound();
    }

    private boolean mayTellIpv6(int index) {
        HeaderParser headers = queue.headers();
        return headers.isFirstFragment()
                && headers.destinationMac() == queue.link.mac
                && (headers.sourceHigh() | headers.sourceLow()) != 0
                && headers.sourceHigh() >>> 56 != 0xff
                && headers.destinationHigh() >>> 56 != 0xff
                && !(headers.protocol() == HeaderParser.ICMPV6
                        && (type(index) < Icmpv6.ECHO || type(index) == Icmpv6.REDIRECT))
                && isWithinBound();
    }

    /** Type of the message of ICMP in the packet. */
    private int type(int index) {
        int at = queue.headers().transportOffset();
        return at < 0 ? 0 : Memory.u8(queue.in().offset(index) + at);
    }

    private static boolean isErrorType(int type) {
        return type == Icmp.UNREACHABLE || type == 4 || type == Icmp.REDIRECT || type == Icmp.TIME_EXCEEDED
                || type == Icmp.PARAMETER_PROBLEM;
    }

    private boolean isWithinBound() {
        long now = queue.nowMillis();
        if (now - secondBeganMillis >= 1000 || now < secondBeganMillis) {
            secondBeganMillis = now;
            inSecond = 0;
        }
        return inSecond++ < secondMax;
    }
}
