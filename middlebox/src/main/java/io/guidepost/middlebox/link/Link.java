package io.guidepost.middlebox.link;

import io.guidepost.packet.Addresses;
import io.guidepost.packet.Port;

/**
 * A port with addresses of its own, and the neighbours there. All workers share it; each has a {@link LinkQueue} of it.
 */
public final class Link {
    private static final long LINK_LOCAL_HIGH = 0xfe80L << 48;

    final Port port;
    final long mac;
    final LinkAddresses own;
    final Neighbours neighbours = new Neighbours();
    final long aliasHigh;
    final long aliasLow;
    final int gateway;

    private Link(Port port, LinkAddresses own, long aliasHigh, long aliasLow, int gateway) {
        this.port = port;
        this.mac = port.mac();
        this.own = own;
        this.aliasHigh = aliasHigh;
        this.aliasLow = aliasLow;
        this.gateway = gateway;
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

    /** What it is on this link. */
    public LinkAddresses own() {
        return own;
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
        return own.has(high, low) || isLinkLocal(high, low);
    }

    private boolean isAlias(long high, long low) {
        return (aliasHigh | aliasLow) != 0 && aliasLow == low && aliasHigh == high;
    }

    /** The link-local address that follows from the Ethernet address (RFC 4291 appendix A). */
    private boolean isLinkLocal(long high, long low) {
        long identifier = (mac & 0xffff_ff00_0000L) << 16 | 0xff_fe00_0000L | mac & 0xff_ffff;
        return !own.ipv6().isNone() && high == LINK_LOCAL_HIGH && low == (identifier ^ 0x02L << 56);
    }

    /** The address that a neighbour is asked from. */
    InterfaceAddress sourceFor(long high, long low) {
        return Addresses.isIpv4(high, low) ? own.ipv4() : own.ipv6();
    }
}
