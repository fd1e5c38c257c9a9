package io.guidepost.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;

/**
 * Chooses the destination of a response: the source of the request. Its origin field is believed only where it names
 * another port of the same host, because old clients send from one port and listen on another; a response never goes to
 * a host that a message merely names.
 */
final class ReturnAddress {
    private ReturnAddress() {}

    /** Sets the exchange's peer to the destination of the response; returns false if the request names another host. */
    static boolean choose(Exchange exchange, GnrsMessageFlyweight question) {
        int type = question.originType();
        int length = question.originLength();
        MemorySegment segment = question.segment();
        long origin = question.origin();
        if (type == Locator.Type.IPV4_UDP.code() && length == 6) {
            // Two bytes more than it has; behind the origin of a request comes a GUID.
            long both = segment.get(GnrsWire.LONG, origin);
            int address = (int) (both >>> 32);
            int port = (int) both >>> 16;
            return address == 0 || choose(exchange, Addresses.IPV4_HIGH, Addresses.ipv4Low(address), port);
        }
        if (type == Locator.Type.IPV6_UDP.code() && length == 18) {
            long high = segment.get(GnrsWire.LONG, origin);
            long low = segment.get(GnrsWire.LONG, origin + 8);
            int port = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, origin + 16));
            return (high | low) == 0 || choose(exchange, high, low, port);
        }
        // A name, a URL or a cut address: no destination for a datagram.
        return true;
    }

    private static boolean choose(Exchange exchange, long high, long low, int port) {
        if (high != exchange.peerHigh() || low != exchange.peerLow()) {
            return false;
        }
        if (port != 0) {
            exchange.respondToPort(port);
        }
        return true;
    }
}
