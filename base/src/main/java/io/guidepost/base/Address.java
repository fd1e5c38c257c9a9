package io.guidepost.base;

import java.net.InetAddress;
import java.util.Optional;

/**
 * An IPv6 address, or an IPv4 one in its mapped form. Ordered as unsigned numbers, so IPv4 sorts before most of IPv6.
 *
 * @param high first 64 bits
 * @param low last 64 bits
 */
public record Address(long high, long low) implements Comparable<Address> {
    /** Creates an IPv4 address. */
    public static Address ofIpv4(int address) {
        return new Address(0, Addresses.ipv4Low(address));
    }

    /**
     * Parses {@code 10.1.0.1} or {@code 2001:db8::1}.
     *
     * @throws Malformed if the text is neither
     */
    public static Address parse(String text) throws Malformed {
        try {
            Prefix whole = Prefix.parse(text + (text.indexOf(':') < 0 ? "/32" : "/128"));
            return new Address(whole.high(), whole.low());
        } catch (Malformed e) {
            throw new Malformed("'" + text + "' is not an address: write one such as 10.1.0.1 or 2001:db8::1", 0);
        }
    }

    /** Parses as {@link #parse} does; returns empty for a text that is no address. */
    public static Optional<Address> find(String text) {
        try {
            return Optional.of(parse(text));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Converts an address of the Java library. */
    public static Address of(InetAddress address) {
        return new Address(Addresses.high(address), Addresses.low(address));
    }

    /** Returns whether this is an IPv4 address. */
    public boolean isIpv4() {
        return Addresses.isIpv4(high, low);
    }

    /** Returns the 32 bits of an IPv4 address. */
    public int ipv4() {
        return (int) low;
    }

    /** Returns the block of this address alone. */
    public Prefix prefix() {
        return new Prefix(high, low, 128);
    }

    @Override
    public int compareTo(Address other) {
        int order = Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
        String block = prefix().toString();
        return block.substring(0, block.indexOf('/'));
    }
}
