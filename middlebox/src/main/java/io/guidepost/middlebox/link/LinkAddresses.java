package io.guidepost.middlebox.link;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a middlebox is on one link.
 *
 * @param ipv4 its address of IPv4, or {@link InterfaceAddress#NONE}
 * @param ipv6 its address of IPv6, or {@link InterfaceAddress#NONE}
 */
public record LinkAddresses(InterfaceAddress ipv4, InterfaceAddress ipv6) {
    /** No address yet. */
    public static final LinkAddresses NONE = new LinkAddresses(InterfaceAddress.NONE, InterfaceAddress.NONE);

    /** One address, of either family. */
    public static LinkAddresses of(InterfaceAddress one) {
        return NONE.with(one);
    }

    /** The same with an address in the place of that of its family. */
    public LinkAddresses with(InterfaceAddress one) {
        return one.isIpv4() ? new LinkAddresses(one, ipv6) : new LinkAddresses(ipv4, one);
    }

    /** That of the family that another address has. */
    public InterfaceAddress ofFamily(InterfaceAddress other) {
        return other.isIpv4() ? ipv4 : ipv6;
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return ipv4.isNone() && ipv6.isNone();
    }

    /** Whether an address is on the link of one of them. */
    public boolean isOnLink(long high, long low) {
        return ipv4.isOnLink(high, low) || ipv6.isOnLink(high, low);
    }

    @Override
    public String toString() {
        return Stream.of(ipv4, ipv6)
                .filter(each -> !each.isNone())
                .map(InterfaceAddress::toString)
                .collect(Collectors.joining(" "));
    }
}
