package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.generator.RecordedFrames;
import io.guidepost.middlebox.generator.TrafficGenerator;
import io.guidepost.middlebox.generator.TrafficProfile;
import io.guidepost.middlebox.generator.TrafficReceiver;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost generate}: sends frames, and tells what became of them. */
@Command(
        name = "generate",
        description = {
            "Sends UDP datagrams in frames of given sizes at a given rate. With --receive it tells what became of them:",
            "lost, out of order, twice, and how long they took. A program that only receives takes --count 0."
        },
        footer = "Example:  guidepost generate packet:veth0 --size 64,1518 --rate 100k --receive packet:veth1 --seconds 10")
public final class GenerateCommand extends BoxCommand {
    private static final long LAST_FRAMES_NANOS = 300_000_000;

    @Parameters(index = "0", paramLabel = "PORT", description = "Port that sends, as KIND:DEVICE.")
    private String port = "";

    @Option(names = "--receive", paramLabel = "PORT", description = "Port that receives; the same name for the one that sends.")
    private @Nullable String receive;

    @Option(
            names = "--size",
            paramLabel = "LIST",
            description = "Bytes of the frames with their check sequence of 4, one after the other, or mix for the simple"
                    + " Internet mix of 64, 570 and 1518; of IPv6 its shortest are 82, with a tag all 4 longer"
                    + " (default: ${DEFAULT-VALUE}).")
    private String sizes = "64";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Sends the frames of a capture, pcap or pcapng, as they are, again and again; what is said of"
                    + " sizes, addresses and ports does not matter then.")
    private @Nullable Path file;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Frames in a second, such as 100k or 2M, or bits with their unit: 500Mbit (default: as fast as the"
                    + " port takes).")
    private @Nullable String rate;

    @Option(names = "--count", paramLabel = "N", description = "Ends after this many frames.")
    private @Nullable Long count;

    @Option(
            names = "--from",
            paramLabel = "ADDRESS",
            defaultValue = "198.18.0.1",
            description = "First source address, IPv4 or IPv6 (default: ${DEFAULT-VALUE}).")
    private InetAddress from = InetAddress.getLoopbackAddress();

    @Option(
            names = "--to",
            paramLabel = "ADDRESS",
            defaultValue = "198.19.0.1",
            description = "First destination address (default: ${DEFAULT-VALUE}).")
    private InetAddress to = InetAddress.getLoopbackAddress();

    @Option(names = "--sources", paramLabel = "N", description = "Number of source addresses.")
    private int sources = 1;

    @Option(names = "--destinations", paramLabel = "N", description = "Number of destination addresses.")
    private int destinations = 1;

    @Option(
            names = "--source-port",
            paramLabel = "N[-M]",
            description = "Source ports (default: ${DEFAULT-VALUE}).")
    private String sourcePorts = "1024";

    @Option(
            names = "--destination-port",
            paramLabel = "N[-M]",
            description = "Destination ports (default: ${DEFAULT-VALUE}).")
    private String destinationPorts = "5000";

    @Option(names = "--vlan", paramLabel = "N", description = "Gives all frames a tag of this VLAN.")
    private int vlan = -1;

    @Option(
            names = "--to-mac",
            paramLabel = "MAC",
            description = "Ethernet address of the destination (default: that of the port which receives, else all stations).")
    private @Nullable String toMac;

    @Option(names = "--pattern", paramLabel = "N", defaultValue = "0", description = "Value of the bytes that fill up, 0 to 255.")
    private int pattern;

    private final List<TrafficGenerator> generators = new ArrayList<>();
    private @Nullable TrafficReceiver receiver;
    private long doneNanos;

    @Override
    void box() throws Exception {
        List<String> names = receive == null || receive.equals(port) ? List.of(port) : List.of(port, receive);
        TrafficGenerator.Rate pace = rate == null ? TrafficGenerator.Rate.UNLIMITED : RateText.read(rate);
        try (BoxRunner stage = open(names)) {
            Port in = stage.ports().getLast();
            TrafficProfile traffic = traffic(stage.port(0), in);
            RecordedFrames recording = file == null ? null : RecordedFrames.read(file);
            stage.start("generate", queue -> {
                long share = count == null ? Long.MAX_VALUE : (count + stage.queues() - 1 - queue) / stage.queues();
                TxQueue tx = stage.port(0).tx(queue);
                TrafficGenerator.Rate own = pace.share(stage.queues());
                TrafficGenerator generator = recording == null
                        ? new TrafficGenerator(tx, traffic, queue, share, own)
                        : new TrafficGenerator(tx, recording, share, own);
                generators.add(generator);
                return receive == null || stage.ports().size() > 1
                        ? List.of(generator, drain(stage.port(0).rx(queue)))
                        : List.of(generator);
            });
            if (receive != null) {
                TrafficReceiver all = new TrafficReceiver(in);
                receiver = all;
                stage.start("receive", queue -> queue == 0 ? List.of(all) : List.of());
            }
            run(stage);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Drains a queue that no handler reads: a full one would wake its worker without end. */
    private static DutyCycle drain(RxQueue rx) {
        Burst burst = rx.burst();
        return nowMillis -> {
            rx.receive(burst);
            return 0;
        };
    }

    private TrafficProfile traffic(Port out, Port in) throws IOException {
        int[] sourceRange = RateText.range("--source-port", sourcePorts);
        int[] destinationRange = RateText.range("--destination-port", destinationPorts);
        long destination = toMac != null ? RateText.mac(toMac) : receive == null ? 0xffff_ffff_ffffL : in.mac();
        return new TrafficProfile(
                sizes.equals("mix") ? TrafficProfile.mix(from instanceof Inet4Address, vlan >= 0) : RateText.numbers("--size", sizes),
                from,
                sources,
                to,
                destinations,
                sourceRange[0],
                sourceRange[1] - sourceRange[0] + 1,
                destinationRange[0],
                destinationRange[1] - destinationRange[0] + 1,
                vlan,
                out.mac(),
                destination,
                pattern);
    }

    @Override
    boolean isOver() {
        boolean done = count != null && count > 0 && generators.stream().allMatch(TrafficGenerator::isDone);
        if (done && doneNanos == 0) {
            doneNanos = System.nanoTime();
        }
        // The last frames may still be on their way.
        return done && System.nanoTime() - doneNanos > LAST_FRAMES_NANOS;
    }

    private List<TrafficReceiver.Count> counts() {
        return receiver == null ? List.of() : receiver.counts();
    }

    @Override
    TextTable table() {
        TextTable table = new TextTable("stream", "received", "lost", "reordered", "twice", "late", "p50 µs", "p99 µs", "max µs");
        for (TrafficReceiver.Count each : counts()) {
            table.row(
                    each.stream(),
                    each.received(),
                    each.lost(),
                    each.reordered(),
                    each.duplicate(),
                    each.late(),
                    micros(each.nanosP50()),
                    micros(each.nanosP99()),
                    micros(each.nanosMax()));
        }
        return table;
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e3);
    }

    @Override
    Object json() {
        return counts().stream().map(GenerateCommand::row).toList();
    }

    private static Map<String, Object> row(TrafficReceiver.Count count) {
        return JsonWriter.object(
                "stream", count.stream(),
                "received", count.received(),
                "lost", count.lost(),
                "reordered", count.reordered(),
                "duplicate", count.duplicate(),
                "late", count.late(),
                "nanosP50", count.nanosP50(),
                "nanosP99", count.nanosP99(),
                "nanosMax", count.nanosMax());
    }
}
