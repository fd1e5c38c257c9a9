package io.guidepost.packet.host;

import io.guidepost.base.Addresses;
import java.net.InetAddress;
import java.util.List;

/** The addresses of a host, made for being asked for each packet. Unchanging, for any thread. */
final class OwnAddresses {
    /** Set in an Ethernet address of 48 bits that is not one station's. */
    static final long GROUP_BIT = 1L << 40;

    private final HostAddress[] all;
    private final long[] halves;
    private final int anyIpv4;
    private final int anyIpv6;
    private final long gatewayIpv4;
    private final long gatewayIpv6High;
    private final long gatewayIpv6Low;

    OwnAddresses(List<HostAddress> addresses, List<InetAddress> gateways) {
        all = addresses.toArray(HostAddress[]::new);
        halves = new long[2 * all.length];
        int firstIpv4 = -1;
        int firstIpv6 = -1;
        for (int i = 0; i < all.length; i++) {
            halves[2 * i] = all[i].high();
            halves[2 * i + 1] = all[i].low();
            if (all[i].isIpv4()) {
                firstIpv4 = firstIpv4 < 0 ? i : firstIpv4;
            } else if (firstIpv6 < 0 || Addresses.isLinkLocal(halves[2 * firstIpv6])) {
                firstIpv6 = i;
            }
        }
        anyIpv4 = firstIpv4;
        anyIpv6 = firstIpv6;
        long four = 0;
        long sixHigh = 0;
        long sixLow = 0;
        for (InetAddress each : gateways) {
            if (each.getAddress().length == 4) {
                four = Addresses.low(each);
            } else {
                sixHigh = Addresses.withoutScope(Addresses.high(each));
                sixLow = Addresses.low(each);
            }
        }
        gatewayIpv4 = four;
        gatewayIpv6High = sixHigh;
        gatewayIpv6Low = sixLow;
    }

    /** Whether an address is one of them. */
    boolean has(long high, long low) {
        return indexOf(high, low) >= 0;
    }

    /** Which of them an address is, -1 if none. */
    int indexOf(long high, long low) {
        for (int i = 0; i < halves.length; i += 2) {
            if (halves[i + 1] == low && halves[i] == high) {
                return i >> 1;
            }
        }
        return -1;
    }

    boolean hasIpv6() {
        return anyIpv6 >= 0;
    }

    /** Index of the address to send to another from: on its link if there is one; -1 if none speaks its language. */
    int sourceFor(long high, long low) {
        for (int i = 0; i < all.length; i++) {
            if (all[i].hasOnLink(high, low)) {
                return i;
            }
        }
        return Addresses.isIpv4(high, low) ? anyIpv4 : anyIpv6;
    }

    long high(int index) {
        return halves[2 * index];
    }

    long low(int index) {
        return halves[2 * index + 1];
    }

    /** Whether an address is on a link of ours. */
    boolean isOnLink(long high, long low) {
        for (HostAddress each : all) {
            if (each.hasOnLink(high, low)) {
                return true;
            }
        }
        return Addresses.isLinkLocal(high);
    }

    long gatewayHigh(boolean ipv4) {
        return ipv4 ? 0 : gatewayIpv6High;
    }

    /** Low half of the router's address, 0 if there is none. */
    long gatewayLow(boolean ipv4) {
        return ipv4 ? gatewayIpv4 : gatewayIpv6Low;
    }
}
