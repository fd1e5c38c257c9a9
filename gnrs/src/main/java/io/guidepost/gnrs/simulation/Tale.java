package io.guidepost.gnrs.simulation;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.names.Record;
import io.guidepost.store.Image;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** What a message is about: the name and what is said of it, as far as it is said in the message itself. */
    private static String rest(byte[] bytes) {
        Guid guid = Traffic.guid(bytes);
        String about = guid == null ? "" : "  " + guid.toString().substring(0, 8);
        if (Traffic.name(bytes).equals("MERGE")) {
            boolean strict = (bytes[17] & 1) != 0;
            return about + (strict ? "  strict " : "  ") + form(Arrays.copyOfRange(bytes, 20, bytes.length));
        }
        int from = Math.min(16, bytes.length);
        return about + "  " + HexFormat.of().formatHex(bytes, from, Math.min(bytes.length, from + 40)) + "  of "
                + bytes.length + " bytes";
    }

    private static String form(byte[] image) {
        MemorySegment in = MemorySegment.ofArray(image);
        try {
            Record record = Image.read(Arrays.copyOf(image, Image.length(in, 0)));
            List<String> bindings = new ArrayList<>();
            for (int i = 0; i < record.bindings().size(); i++) {
                Locator place = record.bindings().get(i).locator();
                bindings.add("%d@%x".formatted(Client.number(place), Image.stamp(in, 0, i)));
            }
            return bindings + " cleared@%x".formatted(Image.cleared(in, 0));
        } catch (Malformed | RuntimeException e) {
            return "what is no image: " + e.getMessage();
        }
    }

    List<String> lines() {
        return lines;
    }
}
