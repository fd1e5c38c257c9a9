package io.guidepost.gnrs.simulation;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/** Tells what happens in a world, if anyone wants to know. */
final class Tale {
    private static final int LINES_MAX = 1_000_000;

    private final World world;
    private final boolean wanted;
    private final List<String> lines = new ArrayList<>();

    Tale(World world, boolean wanted) {
        this.world = world;
        this.wanted = wanted;
    }

    void tell(Supplier<String> what) {
        if (wanted && lines.size() < LINES_MAX) {
            lines.add("%10.3f  %s".formatted(world.nanos() / 1e9, what.get()));
        }
    }

    void arrived(Network.Datagram datagram) {
        tell(() -> "%s -> %s  %s %08x%s"
                .formatted(
                        host(datagram.fromHost(), datagram.fromPort()),
                        host(datagram.toHost(), datagram.toPort()),
                        Traffic.name(datagram.bytes()),
                        Traffic.id(datagram.bytes()),
                        rest(datagram.bytes())));
    }

    private static String host(int host, int port) {
        return host >= Network.CLIENTS_FROM
                ? "client " + (host - Network.CLIENTS_FROM)
                : "server " + host + (port == Addresses.CATCH_UP_PORT ? " (catching up)" : "");
    }

    private static String rest(byte[] bytes) {
        int from = Math.min(16, bytes.length);
        return "  " + HexFormat.of().formatHex(bytes, from, Math.min(bytes.length, from + 32)) + "  of " + bytes.length
                + " bytes";
    }

    List<String> lines() {
        return lines;
    }
}
