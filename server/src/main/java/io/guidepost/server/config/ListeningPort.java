package io.guidepost.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A port that a server of some configuration opens on sockets of the kernel.
 *
 * @param service what answers there, for people
 * @param udp whether it is one of UDP; else of TCP
 * @param key that sets its number
 * @param addresses where it listens
 * @param number 0 to 65,535; 0 = the kernel chooses
 */
public record ListeningPort(String service, boolean udp, Key<?> key, List<InetAddress> addresses, int number) {
    /** Returns all of them, in the order in which faults name them: UDP first. */
    public static List<ListeningPort> of(Configuration configuration) {
        List<ListeningPort> all = new ArrayList<>();
        boolean handles = configuration.get(ConfigurationKeys.HANDLE_ENABLED);
        List<InetAddress> handleListen = configuration.get(ConfigurationKeys.HANDLE_LISTEN);
        if (configuration.get(ConfigurationKeys.GNRS_ENABLED)) {
            List<InetAddress> listen = configuration.get(ConfigurationKeys.GNRS_LISTEN);
            add(all, "GNRS", true, configuration, ConfigurationKeys.GNRS_PORT, listen);
            add(all, "copies of other sites", true, configuration, ConfigurationKeys.SITES_PORT, listen);
        }
        if (handles) {
            add(all, "Handle over UDP", true, configuration, ConfigurationKeys.HANDLE_UDP_PORT, handleListen);
        }
        if (configuration.get(ConfigurationKeys.PROXIDOR_ENABLED)) {
            add(all, "Proxidor", true, configuration, ConfigurationKeys.PROXIDOR_PORT,
                    configuration.get(ConfigurationKeys.PROXIDOR_LISTEN));
        }
        if (configuration.get(ConfigurationKeys.SCAFFOLD_ENABLED)) {
            add(all, "SCAFFOLD", true, configuration, ConfigurationKeys.SCAFFOLD_PORT,
                    configuration.get(ConfigurationKeys.SCAFFOLD_LISTEN));
        }
        boolean dns = configuration.get(ConfigurationKeys.DNS_ENABLED);
        List<InetAddress> dnsListen = configuration.get(ConfigurationKeys.DNS_LISTEN);
        if (dns) {
            add(all, "DNS over UDP", true, configuration, ConfigurationKeys.DNS_PORT, dnsListen);
        }
        add(all, "admin port", false, configuration, ConfigurationKeys.ADMIN_PORT,
                List.of(configuration.get(ConfigurationKeys.ADMIN_ADDRESS)));
        if (handles) {
            add(all, "Handle over TCP", false, configuration, ConfigurationKeys.HANDLE_TCP_PORT, handleListen);
            add(all, "Handle over HTTP", false, configuration, ConfigurationKeys.HANDLE_HTTP_PORT, handleListen);
        }
        if (dns) {
            add(all, "DNS over TCP", false, configuration, ConfigurationKeys.DNS_PORT, dnsListen);
        }
        if (configuration.get(TopologyKeys.ALTO_ENABLED)) {
            add(all, "ALTO", false, configuration, TopologyKeys.ALTO_HTTP_PORT, configuration.get(TopologyKeys.ALTO_LISTEN));
        }
        if (configuration.get(NamesKeys.NAMES_ENABLED)) {
            add(all, "names over HTTP", false, configuration, NamesKeys.NAMES_HTTP_PORT, configuration.get(NamesKeys.NAMES_LISTEN));
        }
        router(all, "BGP", configuration, TopologyKeys.BGP_LISTEN);
        router(all, "BMP", configuration, TopologyKeys.BMP_LISTEN);
        return all;
    }

    private static void add(
            List<ListeningPort> all, String service, boolean udp, Configuration configuration, Key<Long> key, List<InetAddress> listen) {
        int number = configuration.get(key).intValue();
        if (number >= 0) {
            all.add(new ListeningPort(service, udp, key, listen, number));
        }
    }

    private static void router(
            List<ListeningPort> all, String service, Configuration configuration, Key<Optional<InetSocketAddress>> key) {
        configuration.get(key).ifPresent(
                at -> all.add(new ListeningPort(service, false, key, List.of(at.getAddress()), at.getPort())));
    }

    /** Returns the protocol that carries it. */
    public String protocol() {
        return udp ? "UDP" : "TCP";
    }

    /** Returns whether a socket at an address and port keeps this from one of its own addresses. */
    public static boolean overlap(InetAddress one, InetAddress other) {
        return one.equals(other) || one.isAnyLocalAddress() || other.isAnyLocalAddress();
    }

    /** @param everywhere whether the same number at any addresses is too much, as on ports of frames */
    boolean clashes(ListeningPort other, boolean everywhere) {
        return number > 0
                && number == other.number
                && udp == other.udp
                && (everywhere || addresses.stream().anyMatch(each -> other.addresses.stream().anyMatch(it -> overlap(each, it))));
    }
}
