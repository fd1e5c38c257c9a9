package io.guidepost.middlebox.forward;

import io.guidepost.base.Addresses;

/** The martian filter: which packets a router may forward, by their addresses. */
final class MartianFilter {
    private MartianFilter() {}

    /**
     * Returns whether a packet may leave its link: not to multicast, reserved, loopback, broadcast and link-local
     * destinations (RFC 1812 section 4.2.2.11, RFC 4291 section 2.5.6), nor from link-local sources of IPv6.
     */
    static boolean goesOn(long sourceHigh, long high, long low) {
        if (Addresses.isIpv4(high, low)) {
            int first = (int) low >>> 24;
            return first < 0xe0 && first != 127 && first != 0;
        }
        boolean isReserved = high == 0 && low >>> 32 == 0 || high >>> 56 == 0xff;
        return !isReserved && !Addresses.isLinkLocal(high) && !Addresses.isLinkLocal(sourceHigh);
    }
}
