package io.guidepost.packet.ip;

import io.guidepost.base.AddressText;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.device.NetDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Opens hosts by name: that of a port of frames, {@code KIND:DEVICE[,KEY=VALUE]...}, with further keys.
 *
 * <ul>
 *   <li>{@code address}: its address with the length of its prefix, {@code 10.0.0.2/24}; may be repeated. Without one
 *       {@code xdp} shares the kernel's: only datagrams to the host's UDP ports are taken from the kernel;
 *   <li>{@code gateway}: the router for what is not on its link, one of IPv4 and one of IPv6;
 *   <li>{@code station}: its Ethernet address, {@code 02:00:00:00:00:01}; by default the device's;
 *   <li>{@code exception-tap}: a TAP device that gets what is not for the host, so that the kernel answers it, ssh
 *       among it. It is made if need be, and its Ethernet address is the host's;
 *   <li>{@code exception-address}: the kernel's address on that device, mostly the host's own;
 *   <li>{@code kernel-address}: of {@code tap} and {@code tun}, what the back end knows as {@code address}.
 * </ul>
 */
public final class Hosts {
    private static final String XDP = "xdp";
    private static final String REDIRECT = "redirect";

    /** Any will do. */
    private static final int PORT_TO_CHECK = 1;

    private final String name;
    private final String kind;
    private final String device;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<InterfaceAddress> addresses = new ArrayList<>();
    private final List<InetAddress> gateways = new ArrayList<>();
    private long station;
    private String tap = "";
    private String tapAddress = "";
    private boolean shared;

    private Hosts(String name, String kind, String device) {
        this.name = name;
        this.kind = kind;
        this.device = device;
    }

    /**
     * Opens a host.
     *
     * @param name as above
     * @param udpPorts whose datagrams it takes
     * @param standards options of the port of frames where the name says nothing else
     * @throws IOException in one line: what is wrong with the name, or what is missing and how to get it
     */
    public static HostPort open(String name, List<Integer> udpPorts, Map<String, String> standards) throws IOException {
        Hosts host = parse(name, standards);
        host.complete(udpPorts);
        try {
            return host.open(udpPorts);
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks a name, and opens nothing.
     *
     * @throws IOException in one line: a fault of the name, and what would be right
     */
    public static void check(String name) throws IOException {
        Hosts host = parse(name, Map.of());
        FramePortOpener.check(host.frames());
        if (!host.kind.equals(XDP) || !host.addresses.isEmpty()) {
            host.needAddress();
            try {
                host.settings(List.of(PORT_TO_CHECK));
            } catch (IllegalArgumentException e) {
                throw new IOException(name + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * Returns the addresses that a host of a name has on this machine, and opens nothing.
     *
     * @throws IOException in one line: a fault of the name, or that there is no such interface
     */
    public static List<InterfaceAddress> addresses(String name) throws IOException {
        check(name);
        Hosts host = parse(name, Map.of());
        if ((host.kind.equals(XDP) || host.kind.equals("packet")) && NetworkInterface.getByName(host.device) == null) {
            throw host.noInterface();
        }
        host.complete(List.of(PORT_TO_CHECK));
        return List.copyOf(host.addresses);
    }

    private IOException noInterface() {
        return new IOException(name + ": there is no network interface " + device + "; ip link shows which there are");
    }

    private static Hosts parse(String name, Map<String, String> standards) throws IOException {
        int colon = name.indexOf(':');
        if (colon < 0) {
            throw new IOException("\"" + name + "\" is no port; write KIND:DEVICE, such as xdp:eth0");
        }
        String[] parts = name.substring(colon + 1).split(",", -1);
        Hosts host = new Hosts(name, name.substring(0, colon), parts[0]);
        host.options.putAll(standards);
        try {
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                host.option(
                        equals < 0 ? parts[i] : parts[i].substring(0, equals),
                        equals < 0 ? "" : parts[i].substring(equals + 1));
            }
            return host;
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    private void option(String key, String value) {
        switch (key) {
            case "address" -> addresses.add(InterfaceAddress.parse(value));
            case "gateway" -> gateways.add(InetAddress.ofLiteral(value));
            case "station" -> station = HostPort.parseMac(value);
            case "exception-tap" -> tap = value;
            case "exception-address" -> tapAddress = value;
            case "kernel-address" -> options.put("address", value);
            default -> options.put(key, value);
        }
    }

    private void complete(List<Integer> udpPorts) throws IOException {
        if (addresses.isEmpty() && kind.equals(XDP)) {
            addresses.addAll(kernelAddresses());
            shared = true;
        }
        needAddress();
        if (kind.equals(XDP)) {
            options.putIfAbsent(
                    REDIRECT,
                    shared
                            ? udpPorts.stream().map(String::valueOf).collect(Collectors.joining("+", "udp:", ""))
                            : addresses.stream()
                                    .map(each -> "address:" + AddressText.of(each.toInetAddress()))
                                    .collect(Collectors.joining("+")));
        }
    }

    private void needAddress() throws IOException {
        if (addresses.isEmpty()) {
            throw new IOException(name + " needs an address of its own, that the kernel does not have: add ,address=10.0.0.2/24");
        }
    }

    private List<InterfaceAddress> kernelAddresses() throws IOException {
        try {
            NetworkInterface found = NetworkInterface.getByName(device);
            if (found == null) {
                throw noInterface();
            }
            List<InterfaceAddress> all = new ArrayList<>();
            for (java.net.InterfaceAddress each : found.getInterfaceAddresses()) {
                all.add(InterfaceAddress.of(each.getAddress(), each.getNetworkPrefixLength()));
            }
            if (all.isEmpty()) {
                throw new IOException(
                        name + ": " + device + " has no address; give it one, or add an own one: ,address=10.0.0.2/24");
            }
            return all.subList(0, Math.min(all.size(), HostPortSettings.ADDRESSES_MAX));
        } catch (SocketException e) {
            throw new IOException(name + ": the system does not tell the addresses of " + device, e);
        }
    }

    private HostPort open(List<Integer> udpPorts) throws IOException {
        Port frames = FramePortOpener.open(frames());
        try {
            HostPortSettings settings = settings(udpPorts);
            return new HostPort(frames, tap.isEmpty() ? settings : settings.withException(exception(frames)));
        } catch (IOException | RuntimeException e) {
            frames.close();
            throw e;
        }
    }

    private HostPortSettings settings(List<Integer> udpPorts) {
        return new HostPortSettings(addresses, gateways, udpPorts, station, burstMax(), null);
    }

    private int burstMax() {
        return Integer.parseInt(options.getOrDefault("burst", Integer.toString(FrameSettings.of("").burstMax())));
    }

    private Port exception(Port frames) throws IOException {
        String given = tapAddress.isEmpty() ? "" : ",address=" + tapAddress;
        Port opened = FramePortOpener.open("tap:" + tap + ",queues=" + frames.queues() + given);
        try {
            // What the kernel sends must bear the address that the link knows, and what comes to that one it must take.
            NetDevice.named(tap, opened.name()).mac(station != 0 ? station : frames.mac());
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** The name of the port of frames. */
    private String frames() {
        return options.entrySet().stream()
                .map(each -> "," + each.getKey() + (each.getValue().isEmpty() ? "" : "=" + each.getValue()))
                .collect(Collectors.joining("", kind + ':' + device, ""));
    }
}
