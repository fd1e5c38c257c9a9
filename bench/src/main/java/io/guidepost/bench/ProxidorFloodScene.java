package io.guidepost.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Regulated clients while somebody floods the server, and after. */
@Command(
        name = "proxidor-flood",
        description = {
            "Regulated clients while one address floods the server with lists, and after: with fair shares, without, and the",
            "program in C. All clients and the flooder take turns on one thread, so that the flood takes no processor time",
            "from the clients but that of its own turns.",
            "",
            "Example: ./guidepost bench proxidor-flood --plot flood.svg"
        },
        mixinStandardHelpOptions = true)
final class ProxidorFloodScene extends Scene {
    private static final int BUCKETS_A_SECOND = 10;
    private static final long BUCKET_NANOS = TimeUnit.SECONDS.toNanos(1) / BUCKETS_A_SECOND;

    @Option(names = "--size", paramLabel = "N", description = "Addresses in each list (default ${DEFAULT-VALUE}).")
    private int size = 100;

    @Option(names = "--sources", paramLabel = "N", description = "Addresses of clients (default ${DEFAULT-VALUE}).")
    private int sources = 10;

    @Option(names = "--clients", paramLabel = "N", description = "Clients in all (default ${DEFAULT-VALUE}).")
    private int clients = 200;

    @Option(names = "--delay", paramLabel = "MS", description = "From answer to question (default ${DEFAULT-VALUE}).")
    private int delayMillis = 10;

    @Option(names = "--timeout", paramLabel = "MS", description = "Until one is given up (default ${DEFAULT-VALUE}).")
    private int timeoutMillis = 50;

    @Option(names = "--routers", paramLabel = "N", description = "Routers of the network (default ${DEFAULT-VALUE}).")
    private int routers = 216;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draws the rates over time (SVG).")
    private @Nullable Path plot;

    /** What happened in a tenth of a second. */
    private record Bucket(long answers, long timeouts, long latencyNanos, long flood, long floodAnswers) {}

    @Override
    Report play(Stage stage) throws IOException {
        RankedNetwork network = RankedNetwork.of(options.smoke() ? 10 : routers);
        Path files = network.writeFiles(stage.folder().resolve("network"));
        int phase = options.smoke() ? 2 : (int) Math.max(3, options.windowNanos() / TimeUnit.SECONDS.toNanos(1));
        Map<String, List<Bucket>> lines = new LinkedHashMap<>();
        for (boolean fair : new boolean[] {true, false}) {
            String name = fair ? "fair shares" : "first come, first served";
            try (ProxidorUnderTest server = ProxidorUnderTest.start(
                    stage, name, options.serverCpu(), files, Map.of("proxidor.fair", Boolean.toString(fair)))) {
                lines.put(name, play(stage, server, phase));
            }
        }
        if (Responder.available()) {
            Path table = network.writeTable(stage.folder().resolve("table"));
            try (Responder responder = Responder.ofProxidor(options.serverCpu(), stage.folder(), table)) {
                lines.put(responder.name(), play(stage, responder, phase));
            }
        }
        if (plot != null) {
            Files.writeString(plot, picture(lines, phase).svg());
        }
        List<List<String>> rows = new ArrayList<>();
        lines.forEach((name, buckets) -> rows(name, buckets, phase, rows));
        return new Report(
                "Regulated clients beside a flood of lists",
                List.of("", "", "answers/s", "of normal %", "given up %", "mean ms", "flood/s", "flood answered/s"),
                rows,
                List.of(clients + " clients at " + sources + " addresses, lists of " + size + ", delay " + delayMillis
                        + " ms, time-out " + timeoutMillis + " ms; phases of " + phase + " s."));
    }

    private List<Bucket> play(Stage stage, Target target, int phase) {
        RankQuestions questions = new RankQuestions(200, size, null);
        List<RegulatedClients> all = new ArrayList<>();
        for (int i = 0; i < sources; i++) {
            all.add(new RegulatedClients(
                    stage.port(new InetSocketAddress(address(i + 1), 0)),
                    target.address(),
                    questions,
                    Math.max(1, clients / sources),
                    TimeUnit.MILLISECONDS.toNanos(timeoutMillis),
                    TimeUnit.MILLISECONDS.toNanos(delayMillis)));
        }
        RankFlooder flooder =
                new RankFlooder(stage.port(new InetSocketAddress(address(0), 0)), target.address(), questions);
        Preference.take();
        stage.progress().say("warming up " + target.name());
        // The server must have met full bursts before, or its first flood is that of an interpreter.
        RankDatagrams warming = new RankDatagrams(stage.port(), target.address(), questions, 256, () -> 0);
        warming.run(options.warmNanos(), 0);
        turns(all, flooder, false, options.smoke() ? 2 : BUCKETS_A_SECOND);
        stage.progress().say("flooding " + target.name());
        List<Bucket> buckets = new ArrayList<>(turns(all, flooder, false, phase * BUCKETS_A_SECOND));
        buckets.addAll(turns(all, flooder, true, phase * BUCKETS_A_SECOND));
        buckets.addAll(turns(all, flooder, false, phase * BUCKETS_A_SECOND));
        return buckets;
    }

    /** Loopback has more than one address: one for each source. */
    private static InetAddress address(int source) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) (1 + source)});
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    private static List<Bucket> turns(List<RegulatedClients> all, RankFlooder flooder, boolean flooding, int count) {
        List<Bucket> buckets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Bucket before = sum(all, flooder);
            long end = System.nanoTime() + BUCKET_NANOS;
            for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
                for (RegulatedClients each : all) {
                    each.turn(now);
                }
                if (flooding) {
                    flooder.turn();
                } else {
                    flooder.drain();
                }
            }
            Bucket after = sum(all, flooder);
            buckets.add(new Bucket(
                    after.answers - before.answers,
                    after.timeouts - before.timeouts,
                    after.latencyNanos - before.latencyNanos,
                    after.flood - before.flood,
                    after.floodAnswers - before.floodAnswers));
        }
        return buckets;
    }

    private static Bucket sum(List<RegulatedClients> all, RankFlooder flooder) {
        return new Bucket(
                all.stream().mapToLong(RegulatedClients::answers).sum(),
                all.stream().mapToLong(RegulatedClients::timeouts).sum(),
                all.stream().mapToLong(RegulatedClients::latencyNanos).sum(),
                flooder.sent(),
                flooder.answers());
    }

    private void rows(String name, List<Bucket> buckets, int phase, List<List<String>> rows) {
        int length = phase * BUCKETS_A_SECOND;
        double normal = perSecond(buckets.subList(0, length));
        rows.add(row(name, "before", buckets.subList(0, length), normal));
        rows.add(row("", "during the flood", buckets.subList(length, 2 * length), normal));
        rows.add(row("", "its first second", buckets.subList(length, length + BUCKETS_A_SECOND), normal));
        rows.add(row("", "first second after", buckets.subList(2 * length, 2 * length + BUCKETS_A_SECOND), normal));
        rows.add(row("", "the rest", buckets.subList(2 * length + BUCKETS_A_SECOND, 3 * length), normal));
    }

    private static double perSecond(List<Bucket> buckets) {
        return (double) buckets.stream().mapToLong(Bucket::answers).sum() * BUCKETS_A_SECOND / buckets.size();
    }

    private static List<String> row(String name, String when, List<Bucket> buckets, double normal) {
        long answers = buckets.stream().mapToLong(Bucket::answers).sum();
        long timeouts = buckets.stream().mapToLong(Bucket::timeouts).sum();
        double rate = perSecond(buckets);
        double seconds = (double) buckets.size() / BUCKETS_A_SECOND;
        return List.of(
                name,
                when,
                Spread.number(rate),
                String.format(Locale.ROOT, "%.1f", 100 * rate / normal),
                String.format(Locale.ROOT, "%.2f", 100.0 * timeouts / Math.max(1, answers + timeouts)),
                Spread.number(buckets.stream().mapToLong(Bucket::latencyNanos).sum() / 1e6 / Math.max(1, answers)),
                Spread.number(buckets.stream().mapToLong(Bucket::flood).sum() / seconds),
                Spread.number(buckets.stream().mapToLong(Bucket::floodAnswers).sum() / seconds));
    }

    private static RatePlot picture(Map<String, List<Bucket>> lines, int phase) {
        RatePlot picture = new RatePlot(
                "Regulated clients beside a flood", "answers to regulated clients in a second", 3 * phase, phase, 2 * phase);
        lines.forEach((name, buckets) -> picture.line(
                name, buckets.stream().mapToDouble(each -> (double) each.answers * BUCKETS_A_SECOND).toArray()));
        return picture;
    }
}
