package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;

/** The martian filter: which addresses packets may come from and go to: RFC 1122 section 3.2.1.3, RFC 1812, RFC 4291 section 2. */
public final class MartianFilter {
    private MartianFilter() {}

    /** Returns true if one host may send from an address, and be sent to, over a link. */
    static boolean isUnicast(long high, long low) {
        return Addresses.isIpv4(high, low) ? isUnicastIpv4((int) low) : isUnicastIpv6(high, low);
    }

    /** Neither of this host alone (0/8, 127/8) nor a group's nor reserved (224/3). */
    static boolean isUnicastIpv4(int address) {
        int first = address >>> 24;
        return first != 0 && first != 127 && first < 224;
    }

    /** Not a group's, and not in {@code ::/64}: there are no address, loopback, and IPv4 in disguise. */
    static boolean isUnicastIpv6(long high, long low) {
        return high != 0 && high >>> 56 != 0xff;
    }

    /**
     * Returns true if a packet may leave the link that it came from: multicast, reserved, loopback, broadcast and link-local
     * destinations end there (RFC 1812 section 4.2.2.11, RFC 4291 section 2.5.6), and so do link-local sources of IPv6.
     */
    public static boolean isForwardable(long sourceHigh, long high, long low) {
        return Addresses.isIpv4(high, low)
                ? isUnicastIpv4((int) low)
                : (high != 0 || low >>> 32 != 0)
                        && high >>> 56 != 0xff
                        && !Addresses.isLinkLocal(high)
                        && !Addresses.isLinkLocal(sourceHigh);
    }
}
