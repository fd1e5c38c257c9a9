package io.guidepost.names;

import io.guidepost.base.AddressText;
import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A locator: a network address, a URL or an alias. Each has a type number and data bytes as in GNRS (type 16, length
 * 16, value). Types of our own are above {@code 0xF000}; they are sent only to clients that announce support for them.
 *
 * @param type unsigned 16 bits, see {@link Type}
 * @param data its value, at most {@code CommonLimits#LOCATOR_BYTES_MAX} bytes; treated as immutable
 */
public record Locator(int type, byte[] data) {
    /** The types of locators, one row each: number, longest value, and whether GNRS V1.0 knows it. */
    public enum Type {
        /** Four bytes of IPv4 address and a port. Shorter values are stored and returned unchanged. */
        IPV4_UDP(0, 6, true),
        /** An alias: another name. */
        GUID(1, 20, true),
        /** A network name of up to 16 bytes and a local part of 4, as the C++ clients use. */
        NETWORK_ADDRESS(2, 20, true),
        /** Sixteen bytes of IPv6 address and a port. */
        IPV6_UDP(0xF006, 18, false),
        /** A URL in UTF-8. */
        URL(0xF007, CommonLimits.LOCATOR_BYTES_MAX, false),
        /** In a write, no place: the text of the name, whose GUID is the message's. It is never stored as a place. */
        NAME_TEXT(0xF008, CommonLimits.NAME_BYTES_MAX, false),
        /** In a write, no place: the attributes of the place before it, a value as {@link PlaceAttributes} draws it. */
        PLACE_ATTRIBUTES(0xF009, CommonLimits.LOCATOR_BYTES_MAX + 2 * PlaceAttributes.LABELS_BYTES_MAX, false);

        private final int code;
        private final int bytesMax;
        private final boolean original;

        Type(int code, int bytesMax, boolean original) {
            this.code = code;
            this.bytesMax = bytesMax;
            this.original = original;
        }

        /** Returns the number on the wire. */
        public int code() {
            return code;
        }

        /** Returns the longest value in bytes. */
        public int bytesMax() {
            return bytesMax;
        }

        /** Returns whether receivers that know only GNRS V1.0 can read it. */
        public boolean original() {
            return original;
        }
    }

    /** Returns the longest value in bytes of a type number, or -1 if the number is not one of {@link Type}. */
    public static int bytesMax(int type) {
        return switch (type) {
            case 0 -> 6;
            case 1, 2 -> 20;
            case 0xF006 -> 18;
            case 0xF007 -> CommonLimits.LOCATOR_BYTES_MAX;
            case 0xF008 -> CommonLimits.NAME_BYTES_MAX;
            case 0xF009 -> CommonLimits.LOCATOR_BYTES_MAX + 2 * PlaceAttributes.LABELS_BYTES_MAX;
            default -> -1;
        };
    }

    /** Returns a UDP endpoint over IPv4 or IPv6. */
    public static Locator of(InetSocketAddress address) {
        byte[] host = address.getAddress().getAddress();
        byte[] data = Arrays.copyOf(host, host.length + 2);
        data[host.length] = (byte) (address.getPort() >> 8);
        data[host.length + 1] = (byte) address.getPort();
        return new Locator(host.length == 4 ? Type.IPV4_UDP.code : Type.IPV6_UDP.code, data);
    }

    /** Returns an alias of another name. */
    public static Locator of(Guid guid) {
        return new Locator(Type.GUID.code, guid.toBytes());
    }

    /** Returns a URL. */
    public static Locator of(URI url) {
        return new Locator(Type.URL.code, url.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether a type number is that of no place, but says more of a name or a place in a write. */
    public static boolean isAnnotation(int type) {
        return type == Type.NAME_TEXT.code || type == Type.PLACE_ATTRIBUTES.code;
    }

    /** Returns the text of a name, for a write. */
    public static Locator ofText(String text) {
        return new Locator(Type.NAME_TEXT.code, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses {@code 10.1.2.3:4444}, {@code [2001:db8::1]:4444}, {@code guid:} and a GUID or a name, or a URL with its scheme.
     * Host names are not resolved: a record holds locators, not DNS names.
     *
     * @throws Malformed if the text is none of these
     */
    public static Locator parse(String text) throws Malformed {
        if (text.startsWith("guid:")) {
            String name = text.substring(5);
            boolean word = name.length() <= Guid.BYTES && name.chars().allMatch(each -> each > ' ' && each <= '~');
            return of(word ? Guid.parse(name) : NameForm.parse(name).guid());
        }
        if (text.contains("://")) {
            try {
                return of(URI.create(text));
            } catch (IllegalArgumentException e) {
                throw new Malformed("'" + text + "' is not a URL", 0);
            }
        }
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new Malformed("'" + text + "' is not a place: write address:port, guid:NAME or a URL", 0);
        }
        byte[] dotted = dotted(text, colon);
        if (dotted != null) {
            int port = port(text, colon + 1);
            dotted[4] = (byte) (port >> 8);
            dotted[5] = (byte) port;
            return new Locator(Type.IPV4_UDP.code, dotted);
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return of(new InetSocketAddress(address(host), port(text, colon + 1)));
    }

    /** Returns the bytes of an IPv4 address in front of a port, with room for that; null if it is not written as nearly all are. */
    private static byte @Nullable [] dotted(String text, int end) {
        byte[] data = new byte[6];
        int part = 0;
        int from = 0;
        int value = 0;
        for (int i = 0; i <= end; i++) {
            char each = i == end ? '.' : text.charAt(i);
            if (each == '.') {
                if (i == from || part == 4 || text.charAt(from) == '0' && i > from + 1) {
                    return null;
                }
                data[part++] = (byte) value;
                from = i + 1;
                value = 0;
            } else {
                value = 10 * value + each - '0';
                if (each < '0' || each > '9' || value > 255) {
                    return null;
                }
            }
        }
        return part == 4 ? data : null;
    }

    private static InetAddress address(String host) throws Malformed {
        try {
            // Only numeric forms: getByName would query DNS for anything else.
            InetAddress address = InetAddress.ofLiteral(host);
            boolean dotted = address instanceof Inet4Address && host.indexOf(':') < 0;
            if (dotted && host.chars().filter(each -> each == '.').count() != 3) {
                throw new Malformed("'" + host + "' is not an IPv4 address of four parts", 0);
            }
            return address;
        } catch (IllegalArgumentException e) {
            throw new Malformed("'" + host + "' is not a numeric IPv4 or IPv6 address", 0);
        }
    }

    private static int port(String text, int from) throws Malformed {
        try {
            int port = Integer.parseInt(text, from, text.length(), 10);
            if (port >= 0 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, as for a number out of range.
        }
        throw new Malformed("'" + text.substring(from) + "' is not a port from 0 to 65535", from);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Locator that && type == that.type && Arrays.equals(data, that.data);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(data);
    }

    /** Returns the form that {@link #parse} reads, or the type number and the bytes where the value has no such form. */
    @Override
    public String toString() {
        if (type == Type.IPV4_UDP.code && data.length == 6) {
            return AddressText.ipv4(Memory.intAt(data, 0)) + ":" + portAt(4);
        }
        if (type == Type.IPV6_UDP.code && data.length == 18) {
            return "[" + AddressText.ipv6(data) + "]:" + portAt(16);
        }
        if (type == Type.GUID.code && data.length == Guid.BYTES) {
            return "guid:" + Guid.of(data);
        }
        if (type == Type.URL.code) {
            return new String(data, StandardCharsets.UTF_8);
        }
        return "type" + type + ":" + HexFormat.of().formatHex(data);
    }

    private int portAt(int offset) {
        return (data[offset] & 0xff) << 8 | data[offset + 1] & 0xff;
    }
}
