package io.guidepost.middlebox.balance;

import io.guidepost.base.Addresses;
import io.guidepost.packet.frame.Frame;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Icmpv6;

/**
 * The original datagram that an ICMP error quotes (RFC 792; invoking packet in RFC 4443): one that a back end has sent to a
 * client. A flyweight. One thread's.
 */
final class OriginalDatagram {
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int FRAGMENT_HEADER = 44;
    private static final int FRAGMENT_HEADER_BYTES = 8;

    /** Bytes of the transport header that every error quotes (RFC 792): the ports are in them. */
    private static final int TRANSPORT_BYTES = 8;

    private long clientHigh;
    private long clientLow;
    private int ports;

    /** Reads it; false unless the packet is an ICMP error about a packet of the service. */
    boolean read(HeaderParser headers, VirtualService service) {
        if (headers.isFragment() || headers.transportOffset() < 0 || !isError(headers)) {
            return false;
        }
        return headers.isIpv4() ? readIpv4(headers, service) : readIpv6(headers, service);
    }

    private static boolean isError(HeaderParser headers) {
        if (headers.protocol() != (headers.isIpv4() ? HeaderParser.ICMP : HeaderParser.ICMPV6)) {
            return false;
        }
        int type = headers.frame().u8(headers.transportOffset());
        return headers.isIpv4()
                ? type == Icmp.UNREACHABLE || type == Icmp.TIME_EXCEEDED || type == Icmp.PARAMETER_PROBLEM
                : type >= Icmpv6.UNREACHABLE && type <= Icmpv6.PARAMETER_PROBLEM;
    }

    private boolean readIpv4(HeaderParser headers, VirtualService service) {
        Frame frame = headers.frame();
        int at = headers.payloadOffset();
        if (headers.networkEnd() - at < IPV4_BYTES || frame.u8(at) >>> 4 != 4 || (frame.u16(at + 6) & 0x1fff) != 0) {
            return false;
        }
        clientHigh = 0;
        clientLow = Addresses.ipv4Low(frame.i32(at + 16));
        int headerBytes = Math.max(IPV4_BYTES, (frame.u8(at) & 0xf) << 2);
        return service.is(0, Addresses.ipv4Low(frame.i32(at + 12)))
                && readPorts(headers, at + headerBytes, frame.u8(at + 9), service);
    }

    private boolean readIpv6(HeaderParser headers, VirtualService service) {
        Frame frame = headers.frame();
        int at = headers.payloadOffset();
        if (headers.networkEnd() - at < IPV6_BYTES + FRAGMENT_HEADER_BYTES || frame.u8(at) >>> 4 != 6) {
            return false;
        }
        clientHigh = frame.i64(at + 24);
        clientLow = frame.i64(at + 32);
        int protocol = frame.u8(at + 6);
        int transport = at + IPV6_BYTES;
        if (protocol == FRAGMENT_HEADER && frame.u16(transport + 2) >>> 3 == 0) {
            protocol = frame.u8(transport);
            transport += FRAGMENT_HEADER_BYTES;
        }
        return service.is(frame.i64(at + 8), frame.i64(at + 16)) && readPorts(headers, transport, protocol, service);
    }

    private boolean readPorts(HeaderParser headers, int transport, int protocol, VirtualService service) {
        if (protocol != service.protocol() || headers.networkEnd() - transport < TRANSPORT_BYTES) {
            return false;
        }
        ports = headers.frame().u16(transport + 2) << 16 | headers.frame().u16(transport);
        return (ports & 0xffff) == service.port();
    }

    /** Returns the high half of the client's address. */
    long clientHigh() {
        return clientHigh;
    }

    /** Returns the low half of the client's address. */
    long clientLow() {
        return clientLow;
    }

    /** Returns the ports of the client's packets: the client's in the upper half, and the service's. */
    int ports() {
        return ports;
    }
}
