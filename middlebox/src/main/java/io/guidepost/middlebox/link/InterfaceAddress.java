package io.guidepost.middlebox.link;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;

/**
 * An address on a link, and which neighbours are there: those that share its first bits.
 *
 * @param high high half of the address, see {@link Addresses}
 * @param low low half of the address
 * @param link addresses of all neighbours
 */
public record InterfaceAddress(long high, long low, Prefix link) {
    /** Stands where there is no address: nobody is on its link. */
    public static final InterfaceAddress NONE = new InterfaceAddress(0, 0, new Prefix(0, 0, 128));

    /** An address of IPv4 as 32 bits, with the length of its prefix, 0 to 32. */
    public InterfaceAddress(int address, int prefixBits) {
        this(0, Addresses.ipv4Low(address), Prefix.ofIpv4(address, prefixBits));
    }

    /**
     * Reads {@code 192.0.2.1/24} or {@code 2001:db8::1/64}; without a length it is alone on its link.
     *
     * @throws Malformed if it is not that
     */
    public static InterfaceAddress parse(String text) throws Malformed {
        int slash = text.indexOf('/');
        String whole = text.contains(":") ? "/128" : "/32";
        try {
            Prefix host = Prefix.parse((slash < 0 ? text : text.substring(0, slash)) + whole);
            return new InterfaceAddress(host.high(), host.low(), slash < 0 ? host : Prefix.parse(text));
        } catch (Malformed e) {
            throw new Malformed("\"" + text + "\" is no address with a length; write one such as 192.0.2.1/24 or"
                    + " 2001:db8::1/64", 0);
        }
    }

    /**
     * Reads an address alone, of either family.
     *
     * @throws Malformed if it is not one
     */
    public static InterfaceAddress parseHost(String text) throws Malformed {
        try {
            if (!text.contains("/")) {
                return parse(text);
            }
        } catch (Malformed e) {
            throw noHost(text);
        }
        throw noHost(text);
    }

    private static Malformed noHost(String text) {
        return new Malformed("\"" + text + "\" is no address; write one such as 192.0.2.1 or 2001:db8::1", 0);
    }

    /**
     * Reads an IPv4 address alone, as 32 bits.
     *
     * @throws Malformed if it is not one
     */
    public static int parseIpv4(String text) throws Malformed {
        InterfaceAddress host = parseHost(text);
        if (!host.isIpv4()) {
            throw new Malformed("\"" + text + "\" is no IPv4 address; write one such as 192.0.2.1", 0);
        }
        return host.ipv4();
    }

    /** Whether there is no address. */
    public boolean isNone() {
        return (high | low) == 0;
    }

    /** Whether it is of IPv4. */
    public boolean isIpv4() {
        return Addresses.isIpv4(high, low);
    }

    /** The 32 bits of an IPv4 address. */
    public int ipv4() {
        return (int) low;
    }

    /** Whether it is this address. */
    public boolean is(long otherHigh, long otherLow) {
        return low == otherLow && high == otherHigh && !isNone();
    }

    /** Whether an address is on this link. */
    public boolean isOnLink(long otherHigh, long otherLow) {
        return link.contains(otherHigh, otherLow) && !isNone();
    }

    /** Whether an IPv4 address is on this link. */
    public boolean isOnLink(int other) {
        return isOnLink(0, Addresses.ipv4Low(other));
    }

    /** Whether an IPv4 address reaches all on this link. */
    public boolean isBroadcast(int other) {
        int bits = link.length() - 96;
        return other == -1 || bits < 31 && (other | -1 << (32 - bits)) == -1 && isOnLink(other);
    }

    /** An IPv4 address for people. */
    public static String text(int address) {
        return text(0, Addresses.ipv4Low(address));
    }

    /** An address for people. */
    public static String text(long high, long low) {
        return Addresses.toInetAddress(high, low).getHostAddress();
    }

    @Override
    public String toString() {
        return text(high, low) + "/" + (isIpv4() ? link.length() - 96 : link.length());
    }
}
