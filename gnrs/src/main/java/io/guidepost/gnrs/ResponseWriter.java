package io.guidepost.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Exchange;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * Writes what every response begins with: the header, this server's address as its origin, the code.
 *
 * <p>The origin is the address that the operator advertises, else the destination of the request, where the port knows
 * it, else the loopback address. Where an IPv6 address would exceed the bound of the response the origin is left empty,
 * which stands for the source of the datagram.
 */
final class ResponseWriter {
    private static final int LOOPBACK = 127 << 24 | 1;
    private static final int PORT_DEFAULT = 5001;

    private final boolean advertised;
    private final long advertisedHigh;
    private final long advertisedLow;
    private final int advertisedPort;

    private long high;
    private long low;
    private int port;
    private int originLength;

    ResponseWriter(GnrsSettings settings) {
        advertised = settings.advertised().isPresent();
        InetSocketAddress address = settings.advertised().orElse(null);
        if (address == null) {
            advertisedHigh = Addresses.IPV4_HIGH;
            advertisedLow = Addresses.ipv4Low(LOOPBACK);
            advertisedPort = PORT_DEFAULT;
        } else {
            MemorySegment bytes = MemorySegment.ofArray(address.getAddress().getAddress());
            boolean four = bytes.byteSize() == 4;
            advertisedHigh = four ? Addresses.IPV4_HIGH : bytes.get(GnrsWire.LONG, 0);
            advertisedLow = four ? Addresses.ipv4Low(bytes.get(GnrsWire.INT, 0)) : bytes.get(GnrsWire.LONG, 8);
            advertisedPort = address.getPort();
        }
    }

    /**
     * Chooses the origin of the next answer and returns where its payload begins.
     *
     * @param fixedBytes bytes that must follow in any case
     * @param bytesMax bytes that the answer may have
     */
    int begin(Exchange exchange, int fixedBytes, int bytesMax) {
        if (advertised || exchange.localPort() == 0 || (exchange.localHigh() | exchange.localLow()) == 0) {
            high = advertisedHigh;
            low = advertisedLow;
            port = advertised || exchange.localPort() == 0 ? advertisedPort : exchange.localPort();
        } else {
            high = exchange.localHigh();
            low = exchange.localLow();
            port = exchange.localPort();
        }
        originLength = Addresses.isIpv4(high, low) ? 6 : 18;
        if (GnrsWire.ORIGIN + originLength + fixedBytes > bytesMax) {
            originLength = 0;
        }
        return GnrsWire.ORIGIN + originLength;
    }

    /** Writes everything up to the code, in the shape of the last {@link #begin}. */
    void write(MemorySegment target, long at, int type, int id, int code, int length, int options) {
        MemorySegment room = Memory.known(target);
        int originType = originLength == 18 ? Locator.Type.IPV6_UDP.code() : Locator.Type.IPV4_UDP.code();
        room.set(GnrsWire.LONG, at, GnrsWire.head(type, length, id));
        room.set(GnrsWire.LONG, at + GnrsWire.OPTIONS_OFFSET, GnrsWire.offsets(options, originType, originLength));
        long origin = at + GnrsWire.ORIGIN;
        if (originLength == 6) {
            // One wide store of address, port and code.
            room.set(GnrsWire.LONG, origin, low << 32 | (port & 0xffffL) << 16 | code);
            room.set(GnrsWire.SHORT, origin + 8, (short) 0);
            return;
        }
        if (originLength == 18) {
            room.set(GnrsWire.LONG, origin, high);
            room.set(GnrsWire.LONG, origin + 8, low);
            room.set(GnrsWire.SHORT, origin + 16, (short) port);
        }
        room.set(GnrsWire.INT, origin + originLength, code << 16);
    }

    /** Writes a response to a write that is a code alone; returns its length. */
    int code(Exchange exchange, int type, int id, int code, int questionLength) {
        int payload = begin(exchange, GnrsWire.CODE_BYTES, questionLength);
        int length = payload + GnrsWire.CODE_BYTES;
        write(exchange.room(), exchange.roomOffset(), type, id, code, length, 0);
        return length;
    }

    /** Writes the response to a write that was refused, with the reason; returns its length. */
    int refusal(Exchange exchange, int type, int id, int questionLength, RefusalReason reason) {
        long value = failed(exchange, type, id, questionLength, GnrsOptionType.REASON, 1);
        exchange.room().set(GnrsWire.BYTE, value, (byte) reason.code());
        return (int) (value + 1 - exchange.roomOffset());
    }

    /** Writes the response to a write without a quorum, with the number of servers that took it; returns its length. */
    int copies(Exchange exchange, PendingWrite write) {
        long value = failed(exchange, write.responseType(), write.id(), write.questionLength(), GnrsOptionType.COPIES, 4);
        exchange.room().set(GnrsWire.INT, value, write.held() << 16 | write.needed());
        return (int) (value + 4 - exchange.roomOffset());
    }

    /** Writes FAILED with one option; returns where its value goes. */
    private long failed(Exchange exchange, int type, int id, int questionLength, GnrsOptionType option, int valueBytes) {
        int bytes = GnrsWire.OPTION_HEADER_BYTES + valueBytes;
        int options = begin(exchange, GnrsWire.CODE_BYTES + bytes, questionLength) + GnrsWire.CODE_BYTES;
        long at = exchange.roomOffset();
        write(exchange.room(), at, type, id, GnrsWire.FAILED, options + bytes, options);
        short header = (short) ((GnrsWire.OPTION_LAST | option.code()) << 8 | valueBytes);
        exchange.room().set(GnrsWire.SHORT, at + options, header);
        return at + options + GnrsWire.OPTION_HEADER_BYTES;
    }

    /** Writes a response to a look-up that has no bindings; returns its length. */
    int empty(Exchange exchange, int id, int code, int questionLength) {
        int payload = begin(exchange, GnrsWire.CODE_BYTES + 4, questionLength);
        int length = payload + GnrsWire.CODE_BYTES + 4;
        write(exchange.room(), exchange.roomOffset(), GnrsWire.LOOKUP_RESPONSE, id, code, length, 0);
        exchange.room().set(GnrsWire.INT, exchange.roomOffset() + payload + GnrsWire.CODE_BYTES, 0);
        return length;
    }
}
