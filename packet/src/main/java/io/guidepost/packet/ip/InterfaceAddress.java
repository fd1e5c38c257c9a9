package io.guidepost.packet.ip;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address of an interface, with the length of the prefix that all addresses on the same link share.
 *
 * @param high high half of the address, see {@link Addresses}
 * @param low low half of the address
 * @param prefixBits length of the prefix: 0 to 32 of IPv4, 0 to 128 of IPv6
 */
public record InterfaceAddress(long high, long low, int prefixBits) {
    /** Checks ranges. */
    public InterfaceAddress {
        int max = Addresses.isIpv4(high, low) ? 32 : 128;
        if (prefixBits < 0 || prefixBits > max) {
            throw new IllegalArgumentException("a prefix of " + prefixBits + " bits; it must be 0 to " + max);
        }
        InetAddress address = Addresses.toInetAddress(high, low);
        if (address.isMulticastAddress() || address.isAnyLocalAddress()) {
            throw new IllegalArgumentException(AddressText.of(address) + " is not an address that a host can have");
        }
    }

    /** An address of IPv4 as 32 bits. */
    public InterfaceAddress(int address, int prefixBits) {
        this(0, Addresses.ipv4Low(address), prefixBits);
    }

    /**
     * Parses {@code 10.0.0.2/24} or {@code 2001:db8::2/64}; without a prefix the address is alone on its link.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static InterfaceAddress parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = literal(slash < 0 ? text : text.substring(0, slash));
            int bits = slash < 0 ? address.getAddress().length * 8 : Integer.parseInt(text.substring(slash + 1));
            return of(address, bits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address with a prefix length, such as 10.0.0.2/24", e);
        }
    }

    /**
     * Parses an address alone, of either family.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static InterfaceAddress parseHost(String text) {
        InetAddress address = literal(text);
        return of(address, address.getAddress().length * 8);
    }

    private static InetAddress literal(String text) {
        // The library takes IPv4 addresses of fewer than four numbers too.
        if (text.contains(":") || text.matches("\\d+(\\.\\d+){3}")) {
            try {
                return InetAddress.ofLiteral(text);
            } catch (IllegalArgumentException e) {
                throw noAddress(text, e);
            }
        }
        throw noAddress(text, null);
    }

    private static IllegalArgumentException noAddress(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "\"" + text + "\" is not an address; write one such as 10.0.0.2 or 2001:db8::2", cause);
    }

    /**
     * Parses an IPv4 address alone, as 32 bits.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static int parseIpv4(String text) {
        InterfaceAddress host = parseHost(text);
        if (!host.isIpv4()) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 address, such as 10.0.0.2");
        }
        return host.ipv4();
    }

    /** An address with the length of its prefix in bits. */
    public static InterfaceAddress of(InetAddress address, int prefixBits) {
        return new InterfaceAddress(
                Addresses.withoutScope(Addresses.high(address)), Addresses.low(address), prefixBits);
    }

    /** Returns true if it is of IPv4. */
    public boolean isIpv4() {
        return Addresses.isIpv4(high, low);
    }

    /** The 32 bits of an IPv4 address. */
    public int ipv4() {
        return (int) low;
    }

    /** Bits of the prefix in the 128 of an address: 96 more than people write of IPv4. */
    public int mappedPrefixBits() {
        return isIpv4() ? prefixBits + 96 : prefixBits;
    }

    /** Returns true if an address is on the same link. */
    public boolean isOnLink(long otherHigh, long otherLow) {
        if (isIpv4() != Addresses.isIpv4(otherHigh, otherLow)) {
            return false;
        }
        int bits = mappedPrefixBits();
        return ((high ^ otherHigh) & Addresses.highMask(bits) | (low ^ otherLow) & Addresses.lowMask(bits)) == 0;
    }

    /** Returns true if an IPv4 address is on the same link. */
    public boolean isOnLink(int other) {
        return isOnLink(0, Addresses.ipv4Low(other));
    }

    /** Returns true if an IPv4 address is the broadcast address of this link, or that of all links. */
    public boolean isBroadcast(int other) {
        return other == -1 || prefixBits < 31 && (other | -1 >>> prefixBits) == other && isOnLink(other);
    }

    /** Formats an address for people. */
    public static String text(long high, long low) {
        return AddressText.of(high, low);
    }

    /** As an object of the JDK. */
    public InetAddress toInetAddress() {
        return Addresses.toInetAddress(high, low);
    }

    @Override
    public String toString() {
        return text(high, low) + "/" + prefixBits;
    }
}
