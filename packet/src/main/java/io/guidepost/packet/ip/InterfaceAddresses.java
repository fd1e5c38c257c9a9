package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;
import java.net.InetAddress;
import java.util.List;

/** The addresses of an interface and its routers, laid out for a look at each packet. Unchanging, for any thread. */
final class InterfaceAddresses {
    private final InterfaceAddress[] all;
    private final long[] halves;
    private final int anyIpv4;
    private final int anyIpv6;
    private final long gatewayIpv4;
    private final long gatewayIpv6High;
    private final long gatewayIpv6Low;

    InterfaceAddresses(List<InterfaceAddress> addresses, List<InetAddress> gateways) {
        all = addresses.toArray(InterfaceAddress[]::new);
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

    /** Returns true if an address is one of them. */
    boolean has(long high, long low) {
        return indexOf(high, low) >= 0;
    }

    /** Finds which of them an address is, -1 if none. */
    int indexOf(long high, long low) {
        for (int i = 0; i < halves.length; i += 2) {
            if (halves[i + 1] == low && halves[i] == high) {
                return i >> 1;
            }
        }
        return -1;
    }

    boolean hasIpv4() {
        return anyIpv4 >= 0;
    }

    boolean hasIpv6() {
        return anyIpv6 >= 0;
    }

    /** Selects the source address for a destination: one on its link, else the first of its family; -1 if none is. */
    int sourceFor(long high, long low) {
        for (int i = 0; i < all.length; i++) {
            if (all[i].isOnLink(high, low)) {
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

    /** Returns true if an address is on the link of one of them. */
    boolean isOnLink(long high, long low) {
        for (InterfaceAddress each : all) {
            if (each.isOnLink(high, low)) {
                return true;
            }
        }
        return Addresses.isLinkLocal(high);
    }

    /** Returns true if an IPv4 address is a broadcast address of the link. */
    boolean isBroadcast(int address) {
        for (InterfaceAddress each : all) {
            if (each.isIpv4() && each.isBroadcast(address)) {
                return true;
            }
        }
        return address == -1;
    }

    /** High half of the next hop to an address: the address itself on the link, else the router of its family. */
    long hopHigh(long high, long low) {
        return isOnLink(high, low) ? high : Addresses.isIpv4(high, low) ? 0 : gatewayIpv6High;
    }

    /** Low half of the next hop; both are 0 if there is none. */
    long hopLow(long high, long low) {
        return isOnLink(high, low) ? low : Addresses.isIpv4(high, low) ? gatewayIpv4 : gatewayIpv6Low;
    }
}
