package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/** The event log of a simulation; off unless requested. */
final class EventLog {
    private static final int LINES_MAX = 1_000_000;

    private final EventScheduler world;
    private final boolean wanted;
    private final List<String> lines = new ArrayList<>();

    EventLog(EventScheduler world, boolean wanted) {
        this.world = world;
        this.wanted = wanted;
    }

    void tell(Supplier<String> what) {
        if (wanted && lines.size() < LINES_MAX) {
            lines.add("%10.3f  %s".formatted(world.nanos() / 1e9, what.get()));
        }
    }

    void arrived(SimulatedNetwork.Datagram datagram) {
        tell(() -> "%s -> %s  %s %08x%s"
                .formatted(
                        host(datagram.fromHost(), datagram.fromPort()),
                        host(datagram.toHost(), datagram.toPort()),
                        MessageCounts.name(datagram.bytes()),
                        MessageCounts.id(datagram.bytes()),
                        rest(datagram.bytes())));
    }

    private static String host(int host, int port) {
        return host >= SimulatedNetwork.CLIENTS_FROM
                ? "client " + (host - SimulatedNetwork.CLIENTS_FROM)
                : "server " + host + (port == SimulatedAddresses.CATCH_UP_PORT ? " (catching up)" : "");
    }

    /** Returns the subject of a message: the name and the details that the message itself has. */
    private static String rest(byte[] bytes) {
        Guid guid = MessageCounts.guid(bytes);
        String about = guid == null ? "" : "  " + guid.toString().substring(0, 8);
        if (MessageCounts.name(bytes).equals("MERGE")) {
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
            Record record = RecordImage.read(Arrays.copyOf(image, RecordImage.length(in, 0)));
            List<String> bindings = new ArrayList<>();
            for (int i = 0; i < record.bindings().size(); i++) {
                Locator place = record.bindings().get(i).locator();
                bindings.add("%d@%x".formatted(SimulatedClient.number(place), RecordImage.stamp(in, 0, i)));
            }
            return bindings + " cleared@%x".formatted(RecordImage.cleared(in, 0));
        } catch (Malformed | RuntimeException e) {
            return "an invalid image: " + e.getMessage();
        }
    }

    List<String> lines() {
        return lines;
    }
}
