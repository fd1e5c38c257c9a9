package io.guidepost.server.cli.admin;

import io.guidepost.packet.ip.Hosts;
import io.guidepost.server.Server;
import io.guidepost.server.cli.admin.DoctorCommand.Finding;
import io.guidepost.server.cli.admin.DoctorCommand.Row;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.Key;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says of each door over UDP where it would be served: at each address of the kernel, and on each port of frames. */
final class ServedPorts {
    /**
     * A door.
     *
     * @param enabled switches it on
     */
    private record UdpDoor(String name, Key<Boolean> enabled, Key<List<InetAddress>> listen, Key<Long> number) {}

    private static final List<UdpDoor> DOORS = List.of(
            new UdpDoor(
                    "GNRS", ConfigurationKeys.GNRS_ENABLED, ConfigurationKeys.GNRS_LISTEN, ConfigurationKeys.GNRS_PORT),
            new UdpDoor(
                    "Handle over UDP",
                    ConfigurationKeys.HANDLE_ENABLED,
                    ConfigurationKeys.HANDLE_LISTEN,
                    ConfigurationKeys.HANDLE_UDP_PORT),
            new UdpDoor(
                    "Proxidor",
                    ConfigurationKeys.PROXIDOR_ENABLED,
                    ConfigurationKeys.PROXIDOR_LISTEN,
                    ConfigurationKeys.PROXIDOR_PORT));

    private final Configuration configuration;
    private final List<Row> rows = new ArrayList<>();

    private ServedPorts(Configuration configuration) {
        this.configuration = configuration;
    }

    static List<Row> rows(Configuration configuration) {
        ServedPorts ports = new ServedPorts(configuration);
        DOORS.forEach(ports::door);
        return ports.rows;
    }

    private void door(UdpDoor door) {
        int number = configuration.get(door.number).intValue();
        if (!configuration.get(door.enabled)) {
            rows.add(new Row(door.name, Finding.OK, "not served: " + door.enabled.name() + " is false", ""));
        } else if (number < 0) {
            rows.add(new Row(door.name, Finding.OK, "not served: " + door.number.name() + " is -1", ""));
        } else {
            configuration.get(door.listen).forEach(each -> socket(door, new InetSocketAddress(each, number)));
            configuration.get(ConfigurationKeys.PACKET_PORTS).forEach(each -> frames(door, each, number));
        }
    }

    private void socket(UdpDoor door, InetSocketAddress address) {
        String what = door.name + " at " + Server.text(address);
        try (DatagramSocket socket = new DatagramSocket(null)) {
            socket.bind(address);
            rows.add(new Row(what, Finding.OK, "UDP port is free", ""));
        } catch (SocketException e) {
            rows.add(new Row(
                    what, Finding.BAD, String.valueOf(e.getMessage()),
                    "stop what has it (ss -lunp), or set " + door.number.name() + " or " + door.listen.name()));
        }
    }

    private void frames(UdpDoor door, String port, int number) {
        String what = door.name + " on " + port;
        try {
            String at = Hosts.addresses(port).stream()
                    .map(each -> Server.text(new InetSocketAddress(each.toInetAddress(), number)))
                    .collect(Collectors.joining(", "));
            rows.add(new Row(what, Finding.OK, "at " + at, ""));
        } catch (IOException e) {
            rows.add(new Row(what, Finding.BAD, String.valueOf(e.getMessage()), "set packet.ports; guidepost ports shows what works here"));
        }
    }
}
