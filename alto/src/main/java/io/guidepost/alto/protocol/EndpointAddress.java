package io.guidepost.alto.protocol;

import io.guidepost.base.Address;
import java.util.Optional;

/** Typed endpoint addresses such as {@code ipv4:192.0.2.1} and {@code ipv6:2001:db8::1} (RFC 7285 section 10.4). */
public final class EndpointAddress {
    /** Type identifier of IPv4 addresses. */
    public static final String IPV4 = "ipv4";

    /** Type identifier of IPv6 addresses. */
    public static final String IPV6 = "ipv6";

    private EndpointAddress() {}

    /** Parses a typed address; returns empty if it is invalid, or of another type than its prefix. */
    public static Optional<Address> parse(String text) {
        boolean ipv6 = text.startsWith("ipv6:");
        if (!ipv6 && !text.startsWith("ipv4:")) {
            return Optional.empty();
        }
        String bare = text.substring(IPV4.length() + 1);
        if (bare.indexOf(':') >= 0 != ipv6 || bare.indexOf('/') >= 0) {
            return Optional.empty();
        }
        return Address.find(bare);
    }

    /** Formats an address with its type, in the canonical form (RFC 5952). */
    public static String of(Address address) {
        return new AltoJsonWriter(64).address(address.high(), address.low()).toString();
    }
}
