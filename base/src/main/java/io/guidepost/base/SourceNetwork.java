package io.guidepost.base;

import java.net.InetAddress;

/**
 * The network that a datagram comes from, as a number: the key of everything that is counted, shared out or bounded by
 * source. Addresses are 128 bits in two halves, IPv4 in its mapped form ({@code ::ffff:a.b.c.d}).
 *
 * <p>Of IPv4 it is the /24, the longest prefix that is routed between autonomous systems: who has one address of it often
 * has all. Of IPv6 it is the /48, the shortest prefix that a site is assigned (RFC 6177). Why not /56 or /64? An attacker
 * with one /48 has 256 networks of /56 and 65,536 of /64 for nothing, and each would stay below any bound on heavy hitters.
 * A /48 holds as many homes (/56) as a /24 holds hosts, so both families share alike.
 *
 * <p>Inside of a network, a {@linkplain #subscriber subscriber} is one IPv4 address or one IPv6 /64, the least that a link
 * is assigned.
 */
public final class SourceNetwork {
    private static final int IPV4_HOST_BITS = 8;
    private static final int IPV6_SITE_BITS_OF_HIGH = 16;
    private static final long IPV4_MARK = 0xffffL;

    private SourceNetwork() {}

    private static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> Integer.SIZE == IPV4_MARK;
    }

    /** Returns the length of the prefix of such a network, of 32 bits in IPv4 and of 128 in IPv6. */
    public static int bits(long high, long low) {
        return isIpv4(high, low) ? Integer.SIZE - IPV4_HOST_BITS : Long.SIZE - IPV6_SITE_BITS_OF_HIGH;
    }

    /** Returns a number that all addresses of one network share, and no two networks. */
    public static long of(long high, long low) {
        return isIpv4(high, low) ? low >>> IPV4_HOST_BITS : high >>> IPV6_SITE_BITS_OF_HIGH | Long.MIN_VALUE;
    }

    /** Returns the network of an address as a prefix. */
    public static Prefix prefix(long high, long low) {
        return new Prefix(high, low, bits(high, low) + (isIpv4(high, low) ? Prefix.IPV4_BITS_BEFORE : 0));
    }

    /** Returns a number that all addresses of one subscriber share, and no two subscribers of global addresses. */
    public static long subscriber(long high, long low) {
        return isIpv4(high, low) ? low : high;
    }

    /** Returns the number of the subscriber that has an address. */
    public static long subscriber(InetAddress address) {
        return subscriber(Addresses.high(address), Addresses.low(address));
    }

    /** Returns the length of the prefix of such a subscriber, of 32 bits in IPv4 and of 128 in IPv6. */
    public static int subscriberBits(long high, long low) {
        return isIpv4(high, low) ? Integer.SIZE : Long.SIZE;
    }
}
