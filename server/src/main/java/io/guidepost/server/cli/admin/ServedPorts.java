package io.guidepost.server.cli.admin;

import io.guidepost.base.AddressText;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.server.admin.MachineChecks.Finding;
import io.guidepost.server.admin.MachineChecks.Row;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.Key;
import io.guidepost.server.config.ListeningPort;
import io.guidepost.server.config.TopologyKeys;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says of each port that the configuration opens whether it is free, at each address of the kernel and on each port of frames. What
 * the Guidepost has that answers at the configured admin port is in order: then it is the server that runs already.
 */
final class ServedPorts {
    private static final Map<String, Key<Boolean>> SERVICES = Map.of(
            "GNRS", ConfigurationKeys.GNRS_ENABLED,
            "Handle", ConfigurationKeys.HANDLE_ENABLED,
            "Proxidor", ConfigurationKeys.PROXIDOR_ENABLED,
            "SCAFFOLD", ConfigurationKeys.SCAFFOLD_ENABLED,
            "DNS", ConfigurationKeys.DNS_ENABLED,
            "ALTO", TopologyKeys.ALTO_ENABLED);

    private final Configuration configuration;
    private final List<Row> rows = new ArrayList<>();

    /** What the running Guidepost says of itself; empty if none answers. */
    private final Map<String, Object> running;

    private ServedPorts(Configuration configuration) {
        this.configuration = configuration;
        this.running = running(configuration);
    }

    static List<Row> rows(Configuration configuration) {
        ServedPorts ports = new ServedPorts(configuration);
        ListeningPort.of(configuration).forEach(ports::port);
        SERVICES.entrySet().stream().sorted(Map.Entry.comparingByKey()).filter(each -> !configuration.get(each.getValue()))
                .forEach(each -> ports.rows.add(
                        new Row(each.getKey(), Finding.OK, "not served: " + each.getValue().name() + " is false", "")));
        return ports.rows;
    }

    private static Map<String, Object> running(Configuration configuration) {
        try {
            AdminOptions.Reply reply = AdminOptions.of(configuration).impatient().get("/status");
            return reply.done() && reply.object().containsKey("pid") ? reply.object() : Map.of();
        } catch (IOException e) {
            return Map.of();
        }
    }

    private void port(ListeningPort port) {
        // Where the kernel chooses the number, there is a free one.
        if (port.number() > 0) {
            port.addresses().forEach(each -> socket(port, new InetSocketAddress(each, port.number())));
        }
        if (port.udp()) {
            configuration.get(ConfigurationKeys.PACKET_PORTS).forEach(each -> frames(port, each));
        }
    }

    private void socket(ListeningPort port, InetSocketAddress address) {
        String what = port.service() + " at " + AddressText.of(address);
        try {
            bind(port, address);
            rows.add(new Row(what, Finding.OK, port.protocol() + " port is free", ""));
        } catch (IOException e) {
            rows.add(isOurs(port, address)
                    ? new Row(what, Finding.OK, "the running Guidepost, process " + running.get("pid"), "")
                    : new Row(
                            what, Finding.BAD,
                            e.getMessage() + (isSilentAdmin(port) ? ", by what does not answer as a Guidepost does" : ""),
                            "stop what has it (ss -l" + (port.udp() ? "u" : "t") + "np), or set " + port.key().name()));
        }
    }

    private boolean isSilentAdmin(ListeningPort port) {
        return port.key().equals(ConfigurationKeys.ADMIN_PORT) && running.isEmpty();
    }

    private static void bind(ListeningPort port, InetSocketAddress address) throws IOException {
        if (port.udp()) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(address);
            }
        } else {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(address);
            }
        }
    }

    private boolean isOurs(ListeningPort port, InetSocketAddress address) {
        for (Map<?, ?> each : AdminOptions.rows(running, "endpoints")) {
            try {
                InetSocketAddress at = ClientOptions.address(AdminOptions.text(each, "address"));
                if (at.getPort() == port.number()
                        && AdminOptions.text(each, "transport").equals("udp") == port.udp()
                        && ListeningPort.overlap(at.getAddress(), address.getAddress())) {
                    return true;
                }
            } catch (IOException e) {
                // Another version's way to write an address: not ours to know.
            }
        }
        return false;
    }

    private void frames(ListeningPort port, String frames) {
        String what = port.service() + " on " + frames;
        try {
            String at = Hosts.addresses(frames).stream()
                    .map(each -> AddressText.of(new InetSocketAddress(each.toInetAddress(), port.number())))
                    .collect(Collectors.joining(", "));
            rows.add(new Row(what, Finding.OK, "at " + at, ""));
        } catch (IOException e) {
            rows.add(new Row(what, Finding.BAD, String.valueOf(e.getMessage()), "set packet.ports; guidepost ports shows what works here"));
        }
    }
}
