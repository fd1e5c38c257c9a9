package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.FrameCapture;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.filter.PacketFilter;
import io.guidepost.packet.pcap.PcapPort;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost capture}: counts the frames that come in at a port, or writes them to a file. */
@Command(
        name = "capture",
        description = {
            "Counts the frames that come in at a port, or writes them to a file that wireshark reads.",
            "Filters are those of tcpdump: host 10.0.0.1 and udp port 53"
        },
        footer = {
            "Example:  guidepost capture packet:eth0 --filter \"udp port 53\" --write dns.pcapng --seconds 10",
            "          guidepost capture pcap:dns.pcapng --filter \"src net 10.0.0.0/8\""
        })
public final class CaptureCommand extends BoxCommand {
    @Parameters(index = "0", paramLabel = "PORT", description = "Where frames come in, as KIND:DEVICE.")
    private String name = "";

    @Option(names = "--filter", paramLabel = "TEXT", description = "Which frames (default: all).")
    private String filter = "";

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Writes them: pcapng, or classic pcap if it ends with .pcap.")
    private @Nullable Path file;

    @Option(names = "--count", paramLabel = "N", description = "Ends after this many frames.")
    private long count = Long.MAX_VALUE;

    @SuppressWarnings("NullAway.Init") // Set before it is asked for a report.
    private FrameCapture capture;

    private final List<RxQueue> queues = new ArrayList<>();
    private long[] keptBefore = new long[0];
    private long beforeNanos;

    @Override
    void box() throws Exception {
        if (count < 1) {
            throw new IOException("--count is " + count + "; it must be 1 or more");
        }
        PacketFilter wanted = PacketFilter.parse(filter);
        long begun = System.nanoTime();
        try (BoxRunner stage = open(List.of(name))) {
            Port in = stage.port(0);
            Path to = file;
            Optional<Port> out = to == null ? Optional.empty() : Optional.of(stage.add(open(to, stage)));
            capture = new FrameCapture(wanted, count);
            stage.start("capture", queue -> {
                Optional<TxQueue> leaving = out.map(port -> port.tx(queue));
                queues.add(in.rx(queue));
                return List.of(capture.tap(in.rx(queue), leaving));
            });
            run(stage);
            summary((System.nanoTime() - begun) / 1e9);
            for (Port port : stage.ports()) {
                if (port.failure().isPresent()) {
                    throw new IOException(port.failure().get());
                }
            }
        }
    }

    private Port open(Path to, BoxRunner stage) throws IOException {
        String comment = "guidepost capture " + name + (filter.isEmpty() ? "" : " --filter \"" + filter + "\"");
        return PcapPort.open(FrameSettings.of("")
                .withQueues(stage.queues())
                .withPool(stage.pool())
                .withOptions(Map.of("write", to.toString(), "comment", comment)));
    }

    @Override
    boolean isOver() {
        return capture.isDone();
    }

    @Override
    TextTable table() {
        TextTable table = new TextTable("queue", "received", "wanted", "bytes", "wanted/s", "Mbit/s", "dropped");
        List<QueueStatistics> kept = capture.kept();
        long now = System.nanoTime();
        double seconds = (now - beforeNanos) / 1e9;
        boolean known = keptBefore.length == 2 * kept.size();
        long[] all = new long[2 * kept.size()];
        for (int i = 0; i < kept.size(); i++) {
            all[2 * i] = kept.get(i).packets();
            all[2 * i + 1] = kept.get(i).bytes();
            table.row(
                    i,
                    queues.get(i).statistics().packets(),
                    all[2 * i],
                    all[2 * i + 1],
                    known ? rate((all[2 * i] - keptBefore[2 * i]) / seconds, 0) : "",
                    known ? rate((all[2 * i + 1] - keptBefore[2 * i + 1]) * 8e-6 / seconds, 1) : "",
                    BoxRunner.dropText(List.of(queues.get(i).statistics())));
        }
        keptBefore = all;
        beforeNanos = now;
        return table;
    }

    private static String rate(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    @Override
    Object json() {
        List<Object> rows = new ArrayList<>();
        List<QueueStatistics> kept = capture.kept();
        for (int i = 0; i < kept.size(); i++) {
            rows.add(JsonWriter.object(
                    "queue", i,
                    "received", queues.get(i).statistics().packets(),
                    "wanted", kept.get(i).packets(),
                    "bytes", kept.get(i).bytes()));
        }
        return rows;
    }

    private void summary(double seconds) {
        long received = queues.stream().mapToLong(each -> each.statistics().packets()).sum();
        long packets = capture.kept().stream().mapToLong(QueueStatistics::packets).sum();
        long bytes = capture.kept().stream().mapToLong(QueueStatistics::bytes).sum();
        err().println(String.format(
                Locale.ROOT,
                "guidepost: %d of %d frames, %d bytes, in %.1f seconds%s",
                packets,
                received,
                bytes,
                seconds,
                file == null ? "" : ", written to " + file));
        err().flush();
    }
}
