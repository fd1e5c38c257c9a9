package io.guidepost.packet.ip;

import io.guidepost.base.Memory;
import io.guidepost.base.TokenBucket;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/**
 * Sends ICMP errors to the senders of packets that go no further, at a limited rate (a token bucket), unless RFC 1122
 * section 3.2.2, RFC 1812 section 4.3.2.7 or RFC 4443 section 2.4 forbid it. The packets must not have been changed before.
 * One thread's.
 */
final class IcmpErrors {
    /** Errors in a second, of all queues together (RFC 1812 section 4.3.2.8 and RFC 4443 section 2.4 ask for a limit). */
    private static final int PER_SECOND_MAX = 100;

    /** Bytes of an error, IP header included (RFC 1812 section 4.3.2.3). */
    private static final int BYTES_MAX = 576;

    /** The same of IPv6 (RFC 4443 section 2.4). */
    private static final int BYTES_MAX_IPV6 = 1280;

    private static final long NANOS_IN_MILLI = 1_000_000;
    private final InterfaceQueue queue;
    private final TokenBucket rate;
    private final Icmp icmp = new Icmp();
    private final Ipv4 ipv4 = new Ipv4();
    private final Icmpv6 icmpv6 = new Icmpv6();
    private final Ipv6 ipv6 = new Ipv6();

    IcmpErrors(InterfaceQueue queue, int queues) {
        this.queue = queue;
        double perSecond = Math.max(1, PER_SECOND_MAX / queues);
        this.rate = new TokenBucket(perSecond, perSecond);
    }

    /** Tells that the packet has made as many hops as it may. */
    void timeExceeded(HeaderParser headers) {
        send(headers, Icmp.TIME_EXCEEDED, 0, Icmpv6.TIME_EXCEEDED, 0);
    }

    /** Tells that there is no route to the destination. */
    void noRoute(HeaderParser headers) {
        send(headers, Icmp.UNREACHABLE, 0, Icmpv6.UNREACHABLE, 0);
    }

    /** Tells that the destination cannot be reached. */
    void hostUnreachable(HeaderParser headers) {
        send(headers, Icmp.UNREACHABLE, Icmp.HOST_UNREACHABLE, Icmpv6.UNREACHABLE, Icmpv6.ADDRESS_UNREACHABLE);
    }

    /** Tells that no process has the port. */
    void portUnreachable(HeaderParser headers) {
        send(headers, Icmp.UNREACHABLE, Icmp.PORT_UNREACHABLE, Icmpv6.UNREACHABLE, Icmpv6.PORT_UNREACHABLE);
    }

    private void send(HeaderParser headers, int type, int code, int typeIpv6, int codeIpv6) {
        if (headers.isIpv6()) {
            sendIpv6(headers, typeIpv6, codeIpv6, 0);
        } else {
            sendIpv4(headers, type, code, 0);
        }
    }

    /** Tells that the packet is longer than the next link takes; of IPv4 only if it must not be fragmented, else the router cuts it. */
    void tooBig(HeaderParser headers, int bytesMax) {
        if (headers.isIpv6()) {
            sendIpv6(headers, Icmpv6.PACKET_TOO_BIG, 0, bytesMax);
        } else if ((ipv4.wrap(packet(headers), Ipv4.BYTES).flags() & Ipv4.DONT_FRAGMENT) != 0) {
            sendIpv4(headers, Icmp.UNREACHABLE, Icmp.FRAGMENTATION_NEEDED, bytesMax);
        }
    }

    private static long packet(HeaderParser headers) {
        return headers.unchecked().address() + headers.networkOffset();
    }

    private static long path(HeaderParser headers) {
        return LinkPath.of(headers.sourceMac(), headers.vlan());
    }

    /** Selects the source of an error: the address that the packet was sent to, if it is this interface's. */
    private int source(HeaderParser headers) {
        int own = queue.own.indexOf(headers.destinationHigh(), headers.destinationLow());
        return own >= 0 ? own : queue.own.sourceFor(headers.sourceHigh(), headers.sourceLow());
    }

    private void sendIpv4(HeaderParser headers, int type, int code, int rest) {
        long room = isAllowedIpv4(headers) && isWithinRate() ? queue.room(path(headers)) : Burst.NO_ROOM;
        if (room == Burst.NO_ROOM) {
            return;
        }
        int bytes = headers.networkEnd() - headers.networkOffset();
        int message = Icmp.BYTES + Math.min(bytes, BYTES_MAX - Ipv4.BYTES - Icmp.BYTES);
        ipv4.wrap(room, BYTES_MAX)
                .write(HeaderParser.ICMP, (int) queue.own.low(source(headers)), (int) headers.sourceLow(), message);
        Memory.copy(packet(headers), room + Ipv4.BYTES + Icmp.BYTES, message - Icmp.BYTES);
        icmp.wrap(room + Ipv4.BYTES, message).write(type, code, rest).fillChecksum(message);
        queue.sendRoom(path(headers), HeaderParser.IPV4, Ipv4.BYTES + message);
        queue.counts.count(InterfaceCount.UNREACHABLE_ANSWERED);
    }

    private void sendIpv6(HeaderParser headers, int type, int code, int rest) {
        long room = isAllowedIpv6(headers) && isWithinRate() ? queue.room(path(headers)) : Burst.NO_ROOM;
        if (room == Burst.NO_ROOM) {
            return;
        }
        int own = source(headers);
        int bytes = headers.networkEnd() - headers.networkOffset();
        int message = Icmpv6.BYTES + Math.min(bytes, BYTES_MAX_IPV6 - Ipv6.BYTES - Icmpv6.BYTES);
        ipv6.wrap(room, Ipv6.BYTES)
                .write(
                        HeaderParser.ICMPV6,
                        queue.own.high(own),
                        queue.own.low(own),
                        headers.sourceHigh(),
                        headers.sourceLow(),
                        message);
        Memory.copy(packet(headers), room + Ipv6.BYTES + Icmpv6.BYTES, message - Icmpv6.BYTES);
        icmpv6.wrap(room + Ipv6.BYTES, message)
                .write(type, code, rest)
                .fillChecksum(ipv6.pseudoSum(HeaderParser.ICMPV6, message), message);
        queue.sendRoom(path(headers), HeaderParser.IPV6, Ipv6.BYTES + message);
        queue.counts.count(InterfaceCount.UNREACHABLE_ANSWERED);
    }

    private boolean isAllowedIpv4(HeaderParser headers) {
        int source = (int) headers.sourceLow();
        int destination = (int) headers.destinationLow();
        return headers.isFirstFragment()
                && headers.destinationMac() == queue.mac
                && MartianFilter.isUnicastIpv4(source)
                && destination >>> 28 != 0xe
                && !queue.own.isBroadcast(source)
                && !queue.own.isBroadcast(destination)
                && !(headers.protocol() == HeaderParser.ICMP && Icmp.isError(type(headers)));
    }

    private boolean isAllowedIpv6(HeaderParser headers) {
        return headers.isFirstFragment()
                && headers.destinationMac() == queue.mac
                && MartianFilter.isUnicastIpv6(headers.sourceHigh(), headers.sourceLow())
                && headers.destinationHigh() >>> 56 != 0xff
                && !(headers.protocol() == HeaderParser.ICMPV6
                        && (type(headers) < Icmpv6.ECHO || type(headers) == Icmpv6.REDIRECT));
    }

    private static int type(HeaderParser headers) {
        int at = headers.transportOffset();
        return at < 0 ? 0 : headers.unchecked().u8(at);
    }

    private boolean isWithinRate() {
        rate.refill(queue.nowMillis() * NANOS_IN_MILLI);
        boolean isWithin = rate.tryTake(1);
        if (!isWithin) {
            queue.counts.count(InterfaceCount.UNREACHABLE_WITHHELD);
        }
        return isWithin;
    }
}
