package io.guidepost.base;

import java.util.Comparator;

/**
 * A block of addresses that share their first bits. Addresses are 128 bits, IPv4 in its mapped form
 * ({@code ::ffff:a.b.c.d}), as in all modules.
 *
 * @param high the first 64 bits of the base; bits after the length are zero
 * @param low the last 64 bits of the base; bits after the length are zero
 * @param length shared bits, 0 to 128; for an IPv4 block 96 more than in its text
 */
public record Prefix(long high, long low, int length) {
    /** This machine, over IPv4. */
    public static final Prefix LOOPBACK_IPV4 = ofIpv4(127 << 24, 8);

    /** This machine, over IPv6. */
    public static final Prefix LOOPBACK_IPV6 = new Prefix(0, 1, 128);

    /** Bits of an IPv4 address before those of its text form. */
    public static final int IPV4_BITS_BEFORE = 96;

    /** IPv4 before IPv6, then by base, then the shorter first. Not of the parts of Comparator, which no start-up cache keeps. */
    public static final Comparator<Prefix> ORDER = Prefix::compare;

    /** Clears the bits after the length, as existing tables contain prefixes with host bits. */
    public Prefix {
        if (length < 0 || length > 128) {
            throw new IllegalArgumentException("a prefix has a length of 0 to 128 bits, not " + length);
        }
        high &= Addresses.highMask(length);
        low &= Addresses.lowMask(length);
    }

    private static int compare(Prefix a, Prefix b) {
        int kind = Boolean.compare(b.isIpv4(), a.isIpv4());
        int first = kind != 0 ? kind : Long.compareUnsigned(a.high, b.high);
        int base = first != 0 ? first : Long.compareUnsigned(a.low, b.low);
        return base != 0 ? base : Integer.compare(a.length, b.length);
    }

    /** Creates an IPv4 block with the length of its text form, 0 to 32. */
    public static Prefix ofIpv4(int base, int length) {
        int mask = length == 0 ? 0 : -1 << (32 - length);
        return new Prefix(0, Addresses.ipv4Low(base & mask), IPV4_BITS_BEFORE + length);
    }

    /**
     * Parses {@code 10.1.0.0/16} or {@code 2001:db8::/32}.
     *
     * @throws Malformed if the text is neither
     */
    public static Prefix parse(String text) throws Malformed {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        PrefixParser reader = new PrefixParser();
        String fault = reader.read(bytes, 0, bytes.length);
        if (!fault.isEmpty()) {
            throw new Malformed(fault, 0);
        }
        return reader.ipv6
                ? new Prefix(reader.high, reader.low, reader.length)
                : ofIpv4((int) (reader.high >>> 32), reader.length);
    }

    /**
     * Parses a block as {@link #parse} does, or a single address as the block of it alone.
     *
     * @throws Malformed if the text is neither
     */
    public static Prefix parseOrAddress(String text) throws Malformed {
        return text.indexOf('/') < 0 ? Address.parse(text).prefix() : parse(text);
    }

    /** Returns whether this is a block of IPv4 addresses. */
    public boolean isIpv4() {
        return length >= IPV4_BITS_BEFORE && Addresses.isIpv4(high, low);
    }

    /** Returns whether the block contains an address. */
    public boolean contains(long addressHigh, long addressLow) {
        return (addressHigh & Addresses.highMask(length)) == high && (addressLow & Addresses.lowMask(length)) == low;
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
        return isIpv4()
                ? AddressText.ipv4((int) low) + "/" + (length - IPV4_BITS_BEFORE)
                : AddressText.ipv6(high, low) + "/" + length;
    }
}
