package io.guidepost.middlebox.link;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Port;

/**
 * A port with addresses of its own, and the neighbours there. All workers share it; each has a {@link LinkQueue} of it.
 */
public final class Link {
    private static final long LINK_LOCAL_HIGH = 0xfe80L << 48;

    /** A half of an address that is nobody's: the whole is multicast or reserved, or there is no IPv6 here at all. */
    private static final long NOBODY = -1;

    final Port port;
    final long mac;
    final LinkAddresses own;
    final Neighbours neighbours = new Neighbours();
    final long aliasHigh;
    final long aliasLow;
    final int gateway;

    /** The addresses once more, for the look at each packet; what there is none of is one that no packet has. */
    private final long ipv4Low;

    private final long ipv6High;
    private final long ipv6Low;

    /** Low half of the link-local address that follows from the Ethernet address (RFC 4291 appendix A). */
    private final long linkLocalLow;

    private Link(Port port, LinkAddresses own, long aliasHigh, long aliasLow, int gateway) {
        this.port = port;
        this.mac = port.mac();
        this.own = own;
        this.aliasHigh = aliasHigh;
        this.aliasLow = aliasLow;
        this.gateway = gateway;
        this.ipv4Low = own.ipv4().isNone() ? NOBODY : own.ipv4().low();
        this.ipv6High = own.ipv6().isNone() ? NOBODY : own.ipv6().high();
        this.ipv6Low = own.ipv6().low();
        long identifier = (mac & 0xffff_ff00_0000L) << 16 | 0xff_fe00_0000L | mac & 0xff_ffff;
        this.linkLocalLow = own.ipv6().isNone() ? NOBODY : identifier ^ 0x02L << 56;
    }

    /** A link that knows nobody yet. */
    public Link(Port port, LinkAddresses own) {
        this(port, own, 0, 0, 0);
    }

    /** The same, with a second address that it says is here too, as that of a service. */
    public Link withAlias(long high, long low) {
        return new Link(port, own, high, low, gateway);
    }

    /** The same, with a next hop of IPv4 for what is not on the link; 0 = none. */
    public Link withGateway(int address) {
        return new Link(port, own, aliasHigh, aliasLow, address);
    }

    /** What a worker has of it. */
    public LinkQueue queue(int number) {
        return new LinkQueue(this, number);
    }

    /** Neighbours that are known at a time. */
    public int neighbours(long nowMillis) {
        return neighbours.count(nowMillis);
    }

    /** How often one was forgotten early, as there were too many. */
    public long crowded() {
        return neighbours.crowded();
    }

    /** Whether to answer who asks for an address. */
    boolean answersFor(long high, long low) {
        return isOwn(high, low) || isAlias(high, low);
    }

    boolean isOwn(long high, long low) {
        return low == ipv4Low && high == 0
                || low == ipv6Low && high == ipv6High
                || low == linkLocalLow && high == LINK_LOCAL_HIGH;
    }

    private boolean isAlias(long high, long low) {
        return (aliasHigh | aliasLow) != 0 && aliasLow == low && aliasHigh == high;
    }

    /** The address that a neighbour is asked from. */
    InterfaceAddress sourceFor(long high, long low) {
        return Addresses.isIpv4(high, low) ? own.ipv4() : own.ipv6();
    }
}
