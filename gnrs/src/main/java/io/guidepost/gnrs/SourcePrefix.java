package io.guidepost.gnrs;

import io.guidepost.names.Exchange;

/**
 * Who asks, for sharing what is scarce: the network of an address, as a host has others of its network for nothing. Of
 * IPv4 that is a /24, of IPv6 a /56, the least that sites are given (RFC 6177).
 */
public final class SourcePrefix {
    private static final int IPV4_HOST_BITS = 8;
    private static final int IPV6_HOST_BITS_OF_HIGH = 8;

    private SourcePrefix() {}

    /** Length of the prefix that such a network has, of 32 bits in IPv4 and of 128 in IPv6. */
    public static int bits(long high, long low) {
        return Exchange.isIpv4(high, low)
                ? Integer.SIZE - IPV4_HOST_BITS
                : Long.SIZE - IPV6_HOST_BITS_OF_HIGH;
    }

    /** A number that all addresses of one network share, and no two networks. */
    public static long of(long high, long low) {
        return Exchange.isIpv4(high, low)
                ? low >>> IPV4_HOST_BITS
                : high >>> IPV6_HOST_BITS_OF_HIGH | Long.MIN_VALUE;
    }
}
