package io.guidepost.middlebox.nat;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmp;

/** A packet as the translator sees it; a flyweight. One thread's. */
final class NatPacket {
    /** The kind of a packet. */
    enum Kind {
        /** It has a port or an identifier that can be mapped. */
        QUERY,
        /** An ICMP error, which quotes a packet. */
        ERROR,
        /** A fragment that is not the first. */
        LATER_FRAGMENT,
        /** Not translatable. */
        OTHER
    }

    private long packet;
    private long transport;
    private int bytes;
    private int number;
    private NatProtocol protocol = NatProtocol.UDP;
    private boolean fragmented;
    private boolean partial;

    /**
     * Reads the packet of parsed headers.
     *
     * @param checksum checksum state of the frame's row
     */
    Kind read(HeaderParser headers, int checksum) {
        packet = headers.frame().address() + headers.networkOffset();
        number = headers.protocol();
        fragmented = headers.isFragment();
        if (!headers.isFirstFragment()) {
            return Kind.LATER_FRAGMENT;
        }
        transport = headers.frame().address() + headers.transportOffset();
        bytes = headers.networkEnd() - headers.transportOffset();
        // In a tunnelled packet the inner checksum is partial: the outer one is valid after its completion.
        partial = TransportChecksum.isPartial(checksum) && TransportChecksum.start(checksum) == headers.transportOffset();
        return readTransport(false);
    }

    /** Reads a later fragment out of a copy of its packet. */
    void readFragment(long copy) {
        packet = copy;
        number = Memory.u8(copy + 9);
        fragmented = true;
    }

    /** Reads the packet that the current ICMP error quotes. */
    Kind readQuoted() {
        long inner = transport + Icmp.BYTES;
        int left = bytes - Icmp.BYTES;
        int header = left < 20 ? 0 : (Memory.u8(inner) & 0xf) << 2;
        if (header < 20 || Memory.u8(inner) >>> 4 != 4 || left < header + 8 || (Memory.u16(inner + 6) & 0x1fff) != 0) {
            return Kind.OTHER;
        }
        packet = inner;
        transport = inner + header;
        bytes = left - header;
        number = Memory.u8(inner + 9);
        partial = false;
        return readTransport(true);
    }

    private Kind readTransport(boolean quoted) {
        return switch (number) {
            case HeaderParser.TCP, HeaderParser.UDP -> {
                protocol = number == HeaderParser.TCP ? NatProtocol.TCP : NatProtocol.UDP;
                yield Kind.QUERY;
            }
            case HeaderParser.ICMP -> {
                protocol = NatProtocol.ICMP;
                yield icmpKind(Memory.u8(transport), quoted);
            }
            default -> Kind.OTHER;
        };
    }

    private static Kind icmpKind(int type, boolean quoted) {
        return switch (type) {
            case Icmp.ECHO, Icmp.ECHO_REPLY -> Kind.QUERY;
            case Icmp.UNREACHABLE, Icmp.TIME_EXCEEDED, Icmp.PARAMETER_PROBLEM -> quoted ? Kind.OTHER : Kind.ERROR;
            default -> Kind.OTHER;
        };
    }

    long packet() {
        return packet;
    }

    long transport() {
        return transport;
    }

    /** Returns the present bytes of the transport. */
    int bytes() {
        return bytes;
    }

    /** Returns whether its checksum is partial. */
    boolean isPartial() {
        return partial;
    }

    NatProtocol protocol() {
        return protocol;
    }

    int sourcePort() {
        return Memory.u16(transport + HeaderRewrite.portPlace(protocol, true));
    }

    int destinationPort() {
        return Memory.u16(transport + HeaderRewrite.portPlace(protocol, false));
    }

    int source() {
        return Memory.i32(packet + HeaderRewrite.SOURCE);
    }

    int destination() {
        return Memory.i32(packet + HeaderRewrite.DESTINATION);
    }

    /** Returns whether more fragments follow. */
    boolean isFragmented() {
        return fragmented;
    }

    /** Returns identification and protocol, which together with both addresses identify a fragmented packet. */
    long identification() {
        return (long) Memory.u16(packet + 4) << 8 | number;
    }

    /** Returns both addresses. */
    long addresses() {
        return Memory.i64(packet + HeaderRewrite.SOURCE);
    }

    /** Returns the idle timeout of a mapping in a state. */
    long lastsMillis(int state) {
        return switch (protocol) {
            case UDP -> NatLimits.UDP_MILLIS;
            case ICMP -> NatLimits.ICMP_MILLIS;
            case TCP -> TcpTracking.isOpen(state) ? NatLimits.TCP_MILLIS : NatLimits.TCP_TRANSITORY_MILLIS;
        };
    }
}
