package io.guidepost.packet.host;

import io.guidepost.base.Addresses;

/** Which addresses one host may send from, and be sent to, over a link: RFC 1122 section 3.2.1.3, RFC 4291 section 2. */
final class Unicast {
    private Unicast() {}

    static boolean is(long high, long low) {
        return Addresses.isIpv4(high, low) ? isIpv4((int) low) : isIpv6(high, low);
    }

    /** Neither of this host alone (0/8, 127/8) nor a group's nor reserved (224/3). */
    static boolean isIpv4(int address) {
        int first = address >>> 24;
        return first != 0 && first != 127 && first < 224;
    }

    /** Not a group's, and not in {@code ::/64}: there are no address, loopback, and IPv4 in disguise. */
    static boolean isIpv6(long high, long low) {
        return high != 0 && high >>> 56 != 0xff;
    }
}
