package io.guidepost.packet.host;

import io.guidepost.base.Addresses;
import java.net.InetAddress;

/**
 * An address of a host, and which addresses are on the same link.
 *
 * @param high high half of the address, see {@link Addresses}
 * @param low low half of the address
 * @param prefixBits bits that all addresses of the link share: 0 to 32 of IPv4, 0 to 128 of IPv6
 */
public record HostAddress(long high, long low, int prefixBits) {
    /** Checks ranges. */
    public HostAddress {
        int max = Addresses.isIpv4(high, low) ? 32 : 128;
        if (prefixBits < 0 || prefixBits > max) {
            throw new IllegalArgumentException("a prefix of " + prefixBits + " bits; it must be 0 to " + max);
        }
        InetAddress address = Addresses.toInetAddress(high, low);
        if (address.isMulticastAddress() || address.isAnyLocalAddress()) {
            throw new IllegalArgumentException(address.getHostAddress() + " is not an address that a host can have");
        }
    }

    /**
     * Reads {@code 10.0.0.2/24} or {@code 2001:db8::2/64}; without a prefix it is alone on its link.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static HostAddress parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int bits = slash < 0 ? address.getAddress().length * 8 : Integer.parseInt(text.substring(slash + 1));
            return of(address, bits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address with a prefix length, such as 10.0.0.2/24", e);
        }
    }

    /** An address with the length of its prefix in bits. */
    public static HostAddress of(InetAddress address, int prefixBits) {
        return new HostAddress(
                Addresses.withoutScope(Addresses.high(address)), Addresses.low(address), prefixBits);
    }

    /** Whether it is of IPv4. */
    public boolean isIpv4() {
        return Addresses.isIpv4(high, low);
    }

    /** Whether an address is on the same link. */
    public boolean hasOnLink(long otherHigh, long otherLow) {
        if (isIpv4() != Addresses.isIpv4(otherHigh, otherLow)) {
            return false;
        }
        int bits = isIpv4() ? prefixBits + 96 : prefixBits;
        long differHigh = high ^ otherHigh;
        long differLow = low ^ otherLow;
        return bits <= 64
                ? bits == 0 || differHigh >>> 64 - bits == 0
                : differHigh == 0 && (bits == 128 ? differLow == 0 : differLow >>> 128 - bits == 0);
    }

    /** As an object of the JDK. */
    public InetAddress toInetAddress() {
        return Addresses.toInetAddress(high, low);
    }

    @Override
    public String toString() {
        return toInetAddress().getHostAddress() + "/" + prefixBits;
    }
}
