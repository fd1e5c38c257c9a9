package io.guidepost.gnrs;

import io.guidepost.names.Exchange;
import io.guidepost.names.Malformed;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/**
 * A block of addresses, IPv4 in its mapped form.
 *
 * @param high first 64 bits of its first address
 * @param low last 64 bits of its first address
 * @param bits how many bits all its addresses share, 0 to 128
 */
public record AddressPrefix(long high, long low, int bits) {
    /** This machine, over IPv4. */
    public static final AddressPrefix LOOPBACK_IPV4 =
            new AddressPrefix(Exchange.IPV4_HIGH, Exchange.ipv4Low(127 << 24), 96 + 8);

    /** This machine, over IPv6. */
    public static final AddressPrefix LOOPBACK_IPV6 = new AddressPrefix(0, 1, 128);

    /** Clears the bits that addresses do not share. */
    public AddressPrefix {
        if (bits < 0 || bits > 128) {
            throw new IllegalArgumentException("a prefix has 0 to 128 bits, not " + bits);
        }
        high &= highMask(bits);
        low &= lowMask(bits);
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or a single address.
     *
     * @throws Malformed if the text is none of these
     */
    public static AddressPrefix parse(String text) throws Malformed {
        int slash = text.indexOf('/');
        byte[] address;
        try {
            address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
        } catch (IllegalArgumentException e) {
            throw new Malformed("'" + text + "' does not begin with an IPv4 or IPv6 address", 0);
        }
        int bitsMax = 8 * address.length;
        int bits = slash < 0 ? bitsMax : bits(text, slash + 1, bitsMax);
        MemorySegment bytes = MemorySegment.ofArray(address);
        return address.length == 4
                ? new AddressPrefix(Exchange.IPV4_HIGH, Exchange.ipv4Low(bytes.get(Wire.INT, 0)), 96 + bits)
                : new AddressPrefix(bytes.get(Wire.LONG, 0), bytes.get(Wire.LONG, 8), bits);
    }

    private static int bits(String text, int from, int bitsMax) throws Malformed {
        try {
            int bits = Integer.parseInt(text, from, text.length(), 10);
            if (bits >= 0 && bits <= bitsMax) {
                return bits;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw new Malformed("a prefix length of 0 to " + bitsMax + " follows the '/' in '" + text + "'", from);
    }

    /** Whether an address is in the block. */
    public boolean contains(long addressHigh, long addressLow) {
        return (addressHigh & highMask(bits)) == high && (addressLow & lowMask(bits)) == low;
    }

    private static long highMask(int bits) {
        return bits >= 64 ? -1L : ~(-1L >>> bits);
    }

    private static long lowMask(int bits) {
        return bits >= 128 ? -1L : bits <= 64 ? 0 : ~(-1L >>> bits - 64);
    }
}
