package io.guidepost.scaffold.wire;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * One end of a flow as an address: what SCAFFOLD calls a flowID, in 128 bits instead of 32. It is an IPv6 address of the
 * local range (RFC 4193), ordered from coarse to fine, so that any IPv6 router forwards it by prefix.
 *
 * <pre>
 *  0        8                          48        64                    96                   128
 *  | fd     | domain                   | router  | host                | flow                 |
 * </pre>
 *
 * @param domain 40 bits: the routing domain
 * @param router 16 bits: the label router that the host is attached to
 * @param host 32 bits: the host at that router; another after a move
 * @param flow 32 bits: the flow at that host; random, and new after a move
 */
public record Label(long domain, int router, int host, int flow) {
    /** Length of every label in bytes. */
    public static final int BYTES = 16;

    private static final long LOCAL = 0xfdL << 56;
    private static final long DOMAIN_MASK = 0xff_ffff_ffffL;
    private static final int ROUTER_MASK = 0xffff;

    /** Checks ranges. */
    public Label {
        if ((domain & ~DOMAIN_MASK) != 0 || (router & ~ROUTER_MASK) != 0) {
            throw new IllegalArgumentException("a label has 40 bits of domain and 16 of router, not " + domain + " and " + router);
        }
    }

    /**
     * Returns the label that two halves are.
     *
     * @throws Malformed if the address does not begin with fd
     */
    public static Label of(long high, long low) throws Malformed {
        if (!isLabel(high)) {
            throw new Malformed("a label begins with the byte fd", 0);
        }
        return new Label(high >>> 16 & DOMAIN_MASK, (int) high & ROUTER_MASK, (int) (low >>> 32), (int) low);
    }

    /**
     * Parses the text of an IPv6 address.
     *
     * @throws Malformed if it is none, or is outside fd00::/8
     */
    public static Label parse(String text) throws Malformed {
        try {
            InetAddress address = Inet6Address.ofLiteral(text);
            return of(Addresses.high(address), Addresses.low(address));
        } catch (IllegalArgumentException e) {
            throw new Malformed("'" + text + "' is not an IPv6 address such as fd00:0:1:2:0:3:0:4", 0);
        }
    }

    /** Returns whether an address with this high half is a label. */
    public static boolean isLabel(long high) {
        return high >>> 56 == LOCAL >>> 56;
    }

    /** Returns the high half of the address. */
    public long high() {
        return LOCAL | domain << 16 | router;
    }

    /** Returns the low half of the address. */
    public long low() {
        return (long) host << 32 | Integer.toUnsignedLong(flow);
    }

    /** Returns the address in the form of RFC 5952. */
    @Override
    public String toString() {
        return AddressText.of(high(), low());
    }
}
