package io.guidepost.server.config;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the addresses of a configuration. Only numeric ones: a server must not wait for DNS to start. */
public final class AddressParsing {
    private static final Path IPV6 = Path.of("/proc/net/if_inet6");
    private static final String EVERY_IPV4 = "0.0.0.0";
    private static final String EVERY = "::";

    private AddressParsing() {}

    /**
     * The addresses of a service over UDP: none are needed where there are ports of frames. Where the system has no IPv6, every
     * address means every one of IPv4.
     */
    public static List<InetAddress> udpListen(Configuration configuration, Key<List<String>> key) throws ConfigurationException {
        List<InetAddress> addresses = addresses(configuration, key);
        if (addresses.isEmpty() && configuration.get(ConfigurationKeys.PACKET_PORTS).isEmpty()) {
            throw fault(configuration, key, "name at least one address, such as \"::\", or packet.ports");
        }
        return addresses;
    }

    /** The addresses of a service over connections. */
    public static List<InetAddress> listen(Configuration configuration, Key<List<String>> key) throws ConfigurationException {
        List<InetAddress> addresses = addresses(configuration, key);
        if (addresses.isEmpty()) {
            throw fault(configuration, key, "name at least one address, such as \"::\"");
        }
        return addresses;
    }

    private static List<InetAddress> addresses(Configuration configuration, Key<List<String>> key)
            throws ConfigurationException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String each : configuration.get(key)) {
            addresses.add(address(configuration, key, each.equals(EVERY) && !hasIpv6() ? EVERY_IPV4 : each));
        }
        return addresses;
    }

    private static boolean hasIpv6() {
        return !System.getProperty("os.name").equals("Linux") || Files.exists(IPV6);
    }

    /** Where the admin port is. */
    public static InetSocketAddress admin(Configuration configuration) throws ConfigurationException {
        return new InetSocketAddress(
                address(configuration, ConfigurationKeys.ADMIN_ADDRESS, configuration.get(ConfigurationKeys.ADMIN_ADDRESS)),
                configuration.get(ConfigurationKeys.ADMIN_PORT).intValue());
    }

    /** An address with a port, {@code 10.1.2.3:5001} or {@code [2001:db8::1]:5001}. */
    public static InetSocketAddress withPort(Configuration configuration, Key<?> key, String text)
            throws ConfigurationException {
        try {
            return withPort(text);
        } catch (IllegalArgumentException e) {
            throw fault(configuration, key, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The same, of any text.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static InetSocketAddress withPort(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an address with a port: write IPv6 as [2001:db8::1]:5001");
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port > 0 && port <= 65535) {
                return new InetSocketAddress(InetAddress.ofLiteral(host), port);
            }
        } catch (IllegalArgumentException e) {
            // Said below, as for a number out of range: the exception's own words name no remedy.
        }
        throw new IllegalArgumentException("'" + text + "' is not a numeric address with a port, such as 10.1.2.3:5001");
    }

    public static InetAddress address(Configuration configuration, Key<?> key, String text) throws ConfigurationException {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            // Said below: the exception's own words name no remedy.
        }
        throw fault(configuration, key, "'" + text + "' is not a numeric IPv4 or IPv6 address");
    }

    /** The blocks of addresses that a key names. */
    public static List<Prefix> prefixes(Configuration configuration, Key<List<String>> key)
            throws ConfigurationException {
        List<Prefix> prefixes = new ArrayList<>();
        for (String each : configuration.get(key)) {
            try {
                prefixes.add(Prefix.parseOrAddress(each));
            } catch (Malformed e) {
                throw fault(configuration, key, String.valueOf(e.getMessage()));
            }
        }
        return List.copyOf(prefixes);
    }

    public static ConfigurationException fault(Configuration configuration, Key<?> key, String what) {
        return new ConfigurationException(configuration.origin(key) + ": " + key.name() + ": " + what);
    }
}
