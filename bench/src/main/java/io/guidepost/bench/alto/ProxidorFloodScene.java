package io.guidepost.bench.alto;

import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.GeneratorPriority;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.DoorUnderTest;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RatePlot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Regulated clients while somebody floods the server, and after. */
@Command(
        name = "proxidor-flood",
        description = {
            "Regulated clients while the server is flooded with lists, and after: with fair shares, without, and the program",
            "in C. All clients and the flooders take turns on one thread, so that the flood takes no processor time from the",
            "clients but that of its own turns. Flooders have addresses of their own, or with --forged each question another.",
            "",
            "Example: ./guidepost bench proxidor-flood --flooders 8 --plot flood.svg"
        },
        mixinStandardHelpOptions = true)
public final class ProxidorFloodScene extends BenchScene {
    private static final int BUCKETS_A_SECOND = 10;

    /** How much shorter than a second a second of a smoke run is. */
    private static final int SMOKE_FACTOR = 10;

    private static final long BUCKET_NANOS = TimeUnit.SECONDS.toNanos(1) / BUCKETS_A_SECOND;

    @Option(names = "--size", paramLabel = "N", description = "Addresses in each list (default ${DEFAULT-VALUE}).")
    private int size = 100;

    @Option(names = "--sources", paramLabel = "N", description = "Addresses of clients (default ${DEFAULT-VALUE}).")
    private int sources = 10;

    @Option(names = "--clients", paramLabel = "N", description = "Clients in all (default ${DEFAULT-VALUE}).")
    private int clients = 200;

    @Option(names = "--delay", paramLabel = "MS", description = "From a response to the next request (default ${DEFAULT-VALUE}).")
    private int delayMillis = 10;

    @Option(names = "--timeout", paramLabel = "MS", description = "Time-out of a request (default ${DEFAULT-VALUE}).")
    private int timeoutMillis = 50;

    @Option(names = "--routers", paramLabel = "N", description = "Routers of the network (default ${DEFAULT-VALUE}).")
    private int routers = 216;

    @Option(names = "--flooders", paramLabel = "N", description = "Addresses of flooders (default ${DEFAULT-VALUE}).")
    private int flooders = 1;

    @Option(names = "--forged", description = "One flooder, each question of which has another source, out of 127.0.0.0/8.")
    private boolean forged;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draws the rates over time (SVG).")
    private @Nullable Path plot;

    /** What happened in a tenth of a second. */
    private record Bucket(long answers, long timeouts, long latencyNanos, long flood, long floodAnswers) {}

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        ProxidorTestNetwork network = ProxidorTestNetwork.of(options.smoke() ? 10 : routers);
        Path files = network.writeFiles(stage.folder().resolve("network"));
        int phase = options.smoke() ? 2 : (int) Math.max(3, options.windowNanos() / TimeUnit.SECONDS.toNanos(1));
        Map<String, Crowd> crowds = new LinkedHashMap<>();
        for (boolean fair : new boolean[] {true, false}) {
            String name = fair ? "fair shares" : "first come, first served";
            DoorUnderTest server = stage.keep(ProxidorUnderTest.start(
                    stage, name, options.serverCpu(), files, Map.of("udp.admission", fair ? "flood-sockets" : "off")));
            crowds.put(name, crowd(stage, server));
        }
        if (CBaseline.available()) {
            Path table = network.writeTable(stage.folder().resolve("table"));
            CBaseline responder = stage.keep(CBaseline.ofProxidor(options.serverCpu(), stage.folder(), table));
            crowds.put(responder.name(), crowd(stage, responder));
        }
        GeneratorPriority.take();
        Map<String, List<List<Bucket>>> lines = new LinkedHashMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Map.Entry<String, Crowd> each : crowds.entrySet()) {
                stage.progress().say("round " + round + " of " + options.rounds() + ": " + each.getKey());
                lines.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                        .add(play(stage, each.getValue(), phase, round == 1));
            }
        }
        stage.progress().done();
        if (plot != null) {
            Files.writeString(plot, picture(lines, phase).svg());
        }
        List<List<Object>> rows = new ArrayList<>();
        lines.forEach((name, played) -> rows(name, played, phase, rows));
        return new BenchReport(
                "Regulated clients beside a flood of lists",
                List.of("", "phase", "answers/s", "of normal %", "given up %", "mean ms", "flood/s", "flood answered/s"),
                rows,
                List.of(clients + " clients at " + sources + " addresses, lists of " + size + ", delay " + delayMillis
                        + " ms, time-out " + timeoutMillis + " ms; phases of " + phase + " s.",
                        forged
                                ? "Each question of the flood has another source."
                                : "The flood comes from " + flooders
                                        + (flooders == 1 ? " address." : " addresses, each in a /24 of its own."),
                        "Median of " + options.rounds() + " rounds (smallest-largest)."));
    }

    /** The clients and flooders of one server. */
    private record Crowd(BenchTarget target, ProxidorRequests questions, List<RegulatedProxidorClients> clients,
            List<FloodGenerator> flooders) {}

    private Crowd crowd(BenchStage stage, BenchTarget target) {
        ProxidorRequests questions = new ProxidorRequests(200, size, null);
        List<RegulatedProxidorClients> all = new ArrayList<>();
        for (int i = 0; i < sources; i++) {
            all.add(new RegulatedProxidorClients(
                    stage.port(new InetSocketAddress(address(1, i + 1), 0)),
                    target.address(),
                    questions,
                    Math.max(1, clients / sources),
                    TimeUnit.MILLISECONDS.toNanos(timeoutMillis),
                    TimeUnit.MILLISECONDS.toNanos(delayMillis)));
        }
        List<FloodGenerator> floods = new ArrayList<>();
        for (int i = 0; i < (forged ? 1 : flooders); i++) {
            // The first is a neighbour of the clients, the others are elsewhere.
            InetSocketAddress from = new InetSocketAddress(forged ? anyAddress() : address(1 + i, 0), 0);
            FloodGenerator flood = FloodGenerator.unlimited(List.of(stage.port(from)), target.address(), questions);
            floods.add(forged ? flood.spoofing() : flood);
        }
        return new Crowd(target, questions, all, floods);
    }

    private List<Bucket> play(BenchStage stage, Crowd crowd, int phase, boolean first) {
        // The server must have met full bursts before, or its first flood is that of an interpreter.
        UdpLoadGenerator warming =
                new UdpLoadGenerator(stage.port(), crowd.target.address(), crowd.questions, 256, () -> 0);
        warming.run(first ? options.warmNanos() : options.roundWarmNanos(), 0);
        turns(crowd, false, 2 * BUCKETS_A_SECOND);
        List<Bucket> buckets = new ArrayList<>(turns(crowd, false, phase * BUCKETS_A_SECOND));
        buckets.addAll(turns(crowd, true, phase * BUCKETS_A_SECOND));
        buckets.addAll(turns(crowd, false, phase * BUCKETS_A_SECOND));
        return buckets;
    }

    private static InetAddress anyAddress() {
        return new InetSocketAddress("0.0.0.0", 0).getAddress();
    }

    /** Loopback has more than one address: one for each source. */
    private static InetAddress address(int block, int source) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, (byte) block, (byte) (1 + source)});
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    private List<Bucket> turns(Crowd crowd, boolean flooding, int count) {
        List<Bucket> buckets = new ArrayList<>(count);
        int turn = 0;
        for (int i = 0; i < count; i++) {
            Bucket before = sum(crowd);
            long end = System.nanoTime() + (options.smoke() ? BUCKET_NANOS / SMOKE_FACTOR : BUCKET_NANOS);
            for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
                for (RegulatedProxidorClients each : crowd.clients) {
                    each.turn(now);
                }
                if (flooding) {
                    FloodGenerator flooder = crowd.flooders.get(turn++ % crowd.flooders.size());
                    flooder.drain();
                    flooder.run();
                } else {
                    crowd.flooders.forEach(FloodGenerator::drain);
                }
            }
            Bucket after = sum(crowd);
            buckets.add(new Bucket(
                    after.answers - before.answers,
                    after.timeouts - before.timeouts,
                    after.latencyNanos - before.latencyNanos,
                    after.flood - before.flood,
                    after.floodAnswers - before.floodAnswers));
        }
        return buckets;
    }

    private static Bucket sum(Crowd crowd) {
        return new Bucket(
                crowd.clients.stream().mapToLong(RegulatedProxidorClients::answers).sum(),
                crowd.clients.stream().mapToLong(RegulatedProxidorClients::timeouts).sum(),
                crowd.clients.stream().mapToLong(RegulatedProxidorClients::latencyNanos).sum(),
                crowd.flooders.stream().mapToLong(FloodGenerator::accepted).sum(),
                crowd.flooders.stream().mapToLong(FloodGenerator::answers).sum());
    }

    private void rows(String name, List<List<Bucket>> rounds, int phase, List<List<Object>> rows) {
        int length = phase * BUCKETS_A_SECOND;
        rows.add(row(name, "before", rounds, length, 0, length));
        rows.add(row("", "during the flood", rounds, length, length, 2 * length));
        rows.add(row("", "its first second", rounds, length, length, length + BUCKETS_A_SECOND));
        rows.add(row("", "first second after", rounds, length, 2 * length, 2 * length + BUCKETS_A_SECOND));
        rows.add(row("", "the rest", rounds, length, 2 * length + BUCKETS_A_SECOND, 3 * length));
    }

    private static double perSecond(List<Bucket> buckets) {
        return (double) buckets.stream().mapToLong(Bucket::answers).sum() * BUCKETS_A_SECOND / buckets.size();
    }

    private static List<Object> row(
            String name, String when, List<List<Bucket>> rounds, int normal, int from, int to) {
        double seconds = (double) (to - from) / BUCKETS_A_SECOND;
        List<List<Bucket>> parts = rounds.stream().map(each -> each.subList(from, to)).toList();
        List<Double> shares = rounds.stream()
                .map(each -> 100 * perSecond(each.subList(from, to)) / perSecond(each.subList(0, normal)))
                .toList();
        return List.of(
                name,
                when,
                MedianSpread.of(parts, ProxidorFloodScene::perSecond),
                MedianSpread.of(shares),
                MedianSpread.of(parts, part -> {
                    double timeouts = total(part, Bucket::timeouts);
                    return 100 * timeouts / Math.max(1, total(part, Bucket::answers) + timeouts);
                }),
                MedianSpread.of(parts, part -> total(part, Bucket::latencyNanos) / 1e6 / Math.max(1, total(part, Bucket::answers))),
                MedianSpread.of(parts, part -> total(part, Bucket::flood) / seconds),
                MedianSpread.of(parts, part -> total(part, Bucket::floodAnswers) / seconds));
    }

    private static double total(List<Bucket> part, ToLongFunction<Bucket> figure) {
        return part.stream().mapToLong(figure).sum();
    }

    /** The rates of each tenth of a second: of the rounds the median. */
    private static RatePlot picture(Map<String, List<List<Bucket>>> lines, int phase) {
        RatePlot picture = new RatePlot(
                "Regulated clients beside a flood", "answers to regulated clients in a second", 3 * phase, phase, 2 * phase);
        lines.forEach((name, rounds) -> picture.line(name, IntStream.range(0, rounds.getFirst().size())
                .mapToDouble(at -> MedianSpread.of(rounds.stream()
                                .map(each -> (double) each.get(at).answers * BUCKETS_A_SECOND)
                                .toList())
                        .median())
                .toArray()));
        return picture;
    }
}
