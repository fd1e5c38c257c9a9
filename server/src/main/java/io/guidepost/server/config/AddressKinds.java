package io.guidepost.server.config;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kinds of values that are addresses. Only numeric ones: a server must not wait for DNS to start. */
public final class AddressKinds {
    private static final Path IPV6 = Path.of("/proc/net/if_inet6");
    private static final String EVERY_IPV4 = "0.0.0.0";
    private static final String EVERY = "::";
    private static final int PORT_MAX = 65_535;

    private AddressKinds() {}

    static ValueKind<InetAddress> address() {
        return ValueKind.text("a numeric address, IPv4 or IPv6").as(AddressKinds::address);
    }

    /** Addresses to listen at. Where the system has no IPv6, every address means every one of IPv4. */
    static ValueKind<List<InetAddress>> listen() {
        return ValueKind.list(
                ValueKind.text("an address").as(text -> address(text.equals(EVERY) && !hasIpv6() ? EVERY_IPV4 : text)),
                "IPv4 or IPv6 addresses; \"::\" is every address of both");
    }

    static ValueKind<List<Prefix>> prefixes() {
        return ValueKind.list(
                ValueKind.text("a prefix").as(Prefix::parseOrAddress), "addresses, or prefixes such as \"10.0.0.0/8\"");
    }

    static ValueKind<InetSocketAddress> addressWithPort() {
        return ValueKind.text("address:port or [address]:port").as(text -> withPort(text, 1));
    }

    /** An address with a port to listen at: 0 takes one that is free. */
    static ValueKind<InetSocketAddress> listenWithPort() {
        return ValueKind.text("address:port or [address]:port").as(text -> withPort(text, 0));
    }

    private static boolean hasIpv6() {
        return !System.getProperty("os.name").equals("Linux") || Files.exists(IPV6);
    }

    private static InetAddress address(String text) throws Malformed {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            // Said below: the exception's own words name no remedy.
        }
        throw new Malformed("'" + text + "' is not a numeric IPv4 or IPv6 address: write one such as 10.1.2.3 or 2001:db8::1", 0);
    }

    /**
     * Parses an address with a port, {@code 10.1.2.3:5001} or {@code [2001:db8::1]:5001}.
     *
     * @throws Malformed saying what would be right
     */
    public static InetSocketAddress withPort(String text) throws Malformed {
        return withPort(text, 1);
    }

    private static InetSocketAddress withPort(String text, int least) throws Malformed {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new Malformed("'" + text + "' is not an address with a port: write IPv6 as [2001:db8::1]:5001", 0);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= least && port <= PORT_MAX) {
                return new InetSocketAddress(InetAddress.ofLiteral(host), port);
            }
        } catch (IllegalArgumentException e) {
            // Said below, as for a number out of range: the exception's own words name no remedy.
        }
        throw new Malformed("'" + text + "' is not a numeric address with a port, such as 10.1.2.3:5001", 0);
    }
}
