package io.guidepost.scaffold.flow;

import io.guidepost.base.Addresses;

/**
 * The bounds and addresses of a gateway.
 *
 * @param network first address of the prefix out of which objects and hosts get addresses for IPv4 programs; the host itself
 *     has the one behind it
 * @param prefixBits length of the prefix, 8 to 24
 * @param flowsMax flows that are kept
 * @param leaseMillis for how long a join and a registration are asked to hold
 * @param repeatedBytesMax bytes of a response that are repeated and compared when an instance is gone
 */
public record GatewaySettings(int network, int prefixBits, int flowsMax, int leaseMillis, long repeatedBytesMax) {
    /** 100.64.0.0/10 (RFC 6598), a million flows, ten seconds, 64 MiB. */
    public static final GatewaySettings DEFAULT = new GatewaySettings(0x6440_0000, 10, 1_000_000, 10_000, 64 << 20);

    /**
     * First half of the addresses for IPv6 programs, of a local prefix (RFC 4193): the same in each host, as none leaves it. The second
     * half is the IPv4 address of the same object or host.
     */
    public static final long IPV6_HIGH = 0xfd67_7569_6465_0000L;

    /** Checks ranges. */
    public GatewaySettings {
        if (prefixBits < 8 || prefixBits > 24 || (network & -1 >>> prefixBits) != 0) {
            throw new IllegalArgumentException("the network has a prefix of 8 to 24 bits, and zeros behind it");
        }
        if (flowsMax < 1 || leaseMillis < 1_000 || repeatedBytesMax < 0) {
            throw new IllegalArgumentException("there is one flow or more, and a lease of a second or more");
        }
    }

    /** Returns the first half of an address out of the network, for programs of a version of IP. */
    public static long high(boolean ipv4) {
        return ipv4 ? Addresses.IPV4_HIGH : IPV6_HIGH;
    }

    /** Returns the second half of an address out of the network. */
    public static long low(boolean ipv4, int address) {
        return ipv4 ? Addresses.ipv4Low(address) : Integer.toUnsignedLong(address);
    }

    /** Returns the address of the host itself: what its programs send from, and its services are reached at. */
    public int identity() {
        return network + 1;
    }
}
