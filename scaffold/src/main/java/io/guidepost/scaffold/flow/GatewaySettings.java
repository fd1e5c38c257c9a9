package io.guidepost.scaffold.flow;

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

    /** Checks ranges. */
    public GatewaySettings {
        if (prefixBits < 8 || prefixBits > 24 || (network & -1 >>> prefixBits) != 0) {
            throw new IllegalArgumentException("the network has a prefix of 8 to 24 bits, and zeros behind it");
        }
        if (flowsMax < 1 || leaseMillis < 1_000 || repeatedBytesMax < 0) {
            throw new IllegalArgumentException("there is one flow or more, and a lease of a second or more");
        }
    }

    /** Returns the address of the host itself: what its programs send from, and its services are reached at. */
    public int identity() {
        return network + 1;
    }
}
