package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;
import java.util.Optional;

/** Address families of routes (RFC 4760): unicast of one version of IP. */
public enum AddressFamily {
    /** Unicast IPv4. */
    IPV4(1, 32),
    /** Unicast IPv6. */
    IPV6(2, 128);

    /** Subsequent address family (SAFI) of unicast. */
    static final int UNICAST = 1;

    final int afi;
    final int bits;

    AddressFamily(int afi, int bits) {
        this.afi = afi;
        this.bits = bits;
    }

    /** Returns the family of an AFI and the unicast SAFI; empty for all others. */
    static Optional<AddressFamily> of(int afi, int safi) {
        if (safi != UNICAST) {
            return Optional.empty();
        }
        return afi == IPV4.afi ? Optional.of(IPV4) : afi == IPV6.afi ? Optional.of(IPV6) : Optional.empty();
    }

    /** Returns the index of the family, from 0. */
    int index() {
        return afi - 1;
    }

    /** Returns the family of a prefix. */
    static AddressFamily of(Prefix prefix) {
        return prefix.isIpv4() ? IPV4 : IPV6;
    }
}
