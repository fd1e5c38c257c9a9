package io.guidepost.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The codec of GNRS look-ups: a function of bytes. All numbers are big-endian; docs/gnrs.md has every message.
 *
 * <pre>
 * header                                    payload of LOOKUP (type 0x01)
 *  offset size                               +0  20  GUID
 *     0     1  version, 0                   payload of LOOKUP_RESPONSE (0x81)
 *     1     1  type                          +0   2  code, 0 = SUCCESS
 *     2     2  length of the message         +2   2  padding
 *     4     4  request id                    +4   4  b, number of places
 *     8     2  options offset, 0 = none      +8   .  b addresses: type 16, length 16, value
 *    10     2  payload offset, 16+n         option
 *    12     2  origin type                   +0   1  bit 7: the last one; bits 0-6: which
 *    14     2  n, origin length              +1   1  length of the value
 *    16     n  origin; none = the source     +2   .  value
 * </pre>
 */
final class LookupCodec {
    static final int GUID_BYTES = 20;

    /** The longest UDP payload over IPv4. */
    static final int DATAGRAM_BYTES_MAX = 65_507;

    private static final int HEADER_BYTES = 16;
    private static final int LOOKUP = 0x01;
    private static final int LOOKUP_RESPONSE = 0x81;
    private static final int RECURSION = 0;
    private static final int EXPIRATION = 1;
    private static final int TTL = 2;
    private static final int PARTIAL = 0x60;
    private static final int ACCEPT = 0x61;
    private static final int PADDING = 0x62;
    private static final int LAST = 0x80;
    private static final int OPTION_BYTES_MAX = 255;

    private LookupCodec() {}

    /**
     * A parsed response.
     *
     * @param id the id of its request
     * @param success whether the server found or knows that there is nothing
     * @param places the places that fitted
     * @param total how many places the name has
     */
    record Found(int id, boolean success, List<NamePlace> places, int total) {}

    /** Returns a recursive LOOKUP that accepts every type of address; padding lengthens it, and so the permitted response. */
    static byte[] lookup(int id, byte[] guid, int paddingBytes) {
        int paddings = (paddingBytes + OPTION_BYTES_MAX - 1) / OPTION_BYTES_MAX;
        int options = HEADER_BYTES + GUID_BYTES;
        ByteBuffer out = ByteBuffer.allocate(options + 4 + paddingBytes + 2 * paddings + 4);
        out.put((byte) 0).put((byte) LOOKUP).putShort((short) out.capacity()).putInt(id);
        out.putShort((short) options).putShort((short) HEADER_BYTES).putInt(0).put(guid);
        out.put((byte) RECURSION).put((byte) 2).putShort((short) 1);
        for (int left = paddingBytes; left > 0; left -= OPTION_BYTES_MAX) {
            int bytes = Math.min(left, OPTION_BYTES_MAX);
            out.put((byte) PADDING).put((byte) bytes).put(new byte[bytes]);
        }
        return out.put((byte) (ACCEPT | LAST)).put((byte) 2).putShort((short) DATAGRAM_BYTES_MAX).array();
    }

    /** Parses a LOOKUP_RESPONSE; empty if the datagram is none, or is malformed. */
    static Optional<Found> response(ByteBuffer in) {
        try {
            int start = in.position();
            int length = in.remaining();
            int version = in.get();
            int type = Byte.toUnsignedInt(in.get());
            boolean whole = Short.toUnsignedInt(in.getShort()) == length;
            int id = in.getInt();
            int options = Short.toUnsignedInt(in.getShort());
            in.position(start + HEADER_BYTES - 2);
            in.position(start + HEADER_BYTES + Short.toUnsignedInt(in.getShort()));
            if (version != 0 || type != LOOKUP_RESPONSE || !whole) {
                return Optional.empty();
            }
            boolean success = in.getInt() >>> 16 == 0;
            int count = in.getInt();
            if (count < 0 || count > in.remaining() / 4) {
                return Optional.empty();
            }
            List<String> addresses = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int kind = Short.toUnsignedInt(in.getShort());
                addresses.add(address(kind, bytes(in, Short.toUnsignedInt(in.getShort()))));
            }
            long[] ttls = new long[count];
            long[] expiries = new long[count];
            int total = count;
            while (options != 0 && in.hasRemaining()) {
                int option = in.get() & (LAST - 1);
                ByteBuffer value = ByteBuffer.wrap(bytes(in, Byte.toUnsignedInt(in.get())));
                if (option == TTL || option == EXPIRATION) {
                    value.asLongBuffer().get(option == TTL ? ttls : expiries);
                } else if (option == PARTIAL) {
                    total = value.getInt();
                }
            }
            return Optional.of(new Found(id, success, places(addresses, ttls, expiries), total));
        } catch (BufferUnderflowException | IllegalArgumentException cut) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static List<NamePlace> places(List<String> addresses, long[] ttls, long[] expiries) {
        List<NamePlace> places = new ArrayList<>(addresses.size());
        for (int i = 0; i < ttls.length; i++) {
            @Nullable Duration ttl = ttls[i] == 0 ? null : Duration.ofMillis(ttls[i]);
            @Nullable Instant expires = expiries[i] == 0 ? null : Instant.ofEpochMilli(expiries[i]);
            places.add(new NamePlace(addresses.get(i), ttl, expires, null, Map.of()));
        }
        return List.copyOf(places);
    }

    private static String address(int type, byte[] value) {
        int port = value.length < 2 ? 0 : Byte.toUnsignedInt(value[value.length - 2]) << 8 | Byte.toUnsignedInt(value[value.length - 1]);
        if (type == 0 && value.length == 6) {
            return host(Arrays.copyOf(value, 4)) + ":" + port;
        }
        if (type == 0xF006 && value.length == 18) {
            return "[" + ipv6(Arrays.copyOf(value, 16)) + "]:" + port;
        }
        if (type == 1 && value.length == GUID_BYTES) {
            return "guid:" + HexFormat.of().formatHex(value);
        }
        return type == 0xF007 ? new String(value, StandardCharsets.UTF_8) : "type" + type + ":" + HexFormat.of().formatHex(value);
    }

    private static String host(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }

    /** Returns the text of RFC 5952: the first of the longest runs of zero groups, of two at least, is left out. */
    private static String ipv6(byte[] bytes) {
        String text = host(bytes);
        for (int run = 8; run > 1; run--) {
            Matcher zeros = Pattern.compile("(?:^|:)0(?::0){" + (run - 1) + "}(?:$|:)").matcher(text);
            if (zeros.find()) {
                return zeros.replaceFirst("::");
            }
        }
        return text;
    }
}
