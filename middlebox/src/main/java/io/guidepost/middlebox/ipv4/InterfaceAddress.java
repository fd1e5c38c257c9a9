package io.guidepost.middlebox.ipv4;

import io.guidepost.names.Malformed;
import io.guidepost.proximity.Prefix;

/**
 * An IPv4 address on a link, and how many of its first bits all neighbours there share.
 *
 * @param address as 32 bits
 * @param prefixBits 0 to 32
 */
public record InterfaceAddress(int address, int prefixBits) {
    /** Checks the range. */
    public InterfaceAddress {
        if (prefixBits < 0 || prefixBits > 32) {
            throw new IllegalArgumentException("a prefix of IPv4 has 0 to 32 bits, not " + prefixBits);
        }
    }

    /**
     * Reads {@code 192.0.2.1/24}; without a length it is 32.
     *
     * @throws Malformed if it is not that
     */
    public static InterfaceAddress parse(String text) throws Malformed {
        int slash = text.indexOf('/');
        try {
            Prefix whole = Prefix.parse((slash < 0 ? text : text.substring(0, slash)) + "/32");
            Prefix network = Prefix.parse(slash < 0 ? text + "/32" : text);
            if (whole.isIpv4() && network.isIpv4()) {
                return new InterfaceAddress((int) whole.low(), network.length() - 96);
            }
        } catch (Malformed e) {
            throw refused(text);
        }
        throw refused(text);
    }

    /**
     * Reads an address alone.
     *
     * @throws Malformed if it is not one
     */
    public static int parseAddress(String text) throws Malformed {
        if (text.contains("/")) {
            throw new Malformed("\"" + text + "\" is no IPv4 address; write one such as 192.0.2.1", 0);
        }
        return parse(text).address();
    }

    private static Malformed refused(String text) {
        return new Malformed("\"" + text + "\" is no IPv4 address with a length; write one such as 192.0.2.1/24", 0);
    }

    /** Whether an address is on this link. */
    public boolean isOnLink(int other) {
        return prefixBits == 0 || (other ^ address) >>> (32 - prefixBits) == 0;
    }

    /** Whether an address reaches all on this link. */
    public boolean isBroadcast(int other) {
        return other == -1 || prefixBits < 31 && isOnLink(other) && (other | -1 << (32 - prefixBits)) == -1;
    }

    /** An address for people. */
    public static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    @Override
    public String toString() {
        return text(address) + "/" + prefixBits;
    }
}
