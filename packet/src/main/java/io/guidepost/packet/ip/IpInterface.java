package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Port;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * An interface of IPv4 and IPv6 on a port of Ethernet frames: its addresses and its neighbours. All workers share it; each
 * has a queue of it.
 */
public final class IpInterface {
    private static final long LINK_LOCAL_HIGH = 0xfe80L << 48;
    private static final int LINK_LOCAL_BITS = 64;

    final Port port;
    final long mac;
    final InterfaceAddresses own;
    final NeighbourCache neighbours = new NeighbourCache();
    private final long aliasHigh;
    private final long aliasLow;

    IpInterface(Port port, long mac, InterfaceAddresses own, long aliasHigh, long aliasLow) {
        this.port = port;
        this.mac = mac;
        this.own = own;
        this.aliasHigh = aliasHigh;
        this.aliasLow = aliasLow;
    }

    /**
     * An interface of a router or another box; with IPv6 it also has the link-local address that follows from its Ethernet
     * address (RFC 4291 appendix A).
     *
     * @param gateways next hops of what is not on the link, at most one of each family
     */
    public IpInterface(Port port, List<InterfaceAddress> addresses, List<InetAddress> gateways) {
        this(port, port.mac(), new InterfaceAddresses(withLinkLocal(addresses, port.mac()), gateways), 0, 0);
    }

    private static List<InterfaceAddress> withLinkLocal(List<InterfaceAddress> addresses, long mac) {
        List<InterfaceAddress> all = new ArrayList<>(addresses);
        if (!addresses.stream().allMatch(InterfaceAddress::isIpv4)) {
            long identifier = (mac & 0xffff_ff00_0000L) << 16 | 0xff_fe00_0000L | mac & 0xff_ffff;
            all.add(new InterfaceAddress(LINK_LOCAL_HIGH, identifier ^ 0x02L << 56, LINK_LOCAL_BITS));
        }
        return all;
    }

    /** The same with a second address that ARP and neighbour discovery answer for, as that of a service. */
    public IpInterface withAlias(long high, long low) {
        return new IpInterface(port, mac, own, high, low);
    }

    /** Opens what one worker of a box has of it. */
    public LinkQueue queue(int number) {
        return new LinkQueue(this, number);
    }

    /** Counts the neighbours that are known at a time. */
    public int neighbours(long nowMillis) {
        return neighbours.count(nowMillis);
    }

    /** Counts the neighbours that were evicted early, as there were too many. */
    public long crowded() {
        return neighbours.crowded();
    }

    /** Returns true if ARP and neighbour discovery answer for an address. */
    boolean hasAddress(long high, long low) {
        return own.has(high, low) || (aliasHigh | aliasLow) != 0 && aliasLow == low && aliasHigh == high;
    }

    /** Returns true if a neighbour can have an address, as far as this interface knows its family. */
    boolean isNeighbour(long high, long low) {
        return Addresses.isIpv4(high, low)
                ? (int) low != 0 && own.hasIpv4() && !own.isBroadcast((int) low)
                : (high | low) != 0 && own.hasIpv6();
    }
}
