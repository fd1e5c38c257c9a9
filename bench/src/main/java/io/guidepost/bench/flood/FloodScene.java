package io.guidepost.bench.flood;

import io.guidepost.bench.alto.ProxidorRequests;
import io.guidepost.bench.alto.ProxidorTestNetwork;
import io.guidepost.bench.alto.ProxidorUnderTest;
import io.guidepost.bench.handle.HandleRequests;
import io.guidepost.bench.handle.HandleUnderTest;
import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.load.GnrsLookupRequests;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.load.UdpRequests;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.packet.Port;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Honest requests while another network floods the server, and after. */
@Command(
        name = "flood",
        description = {
            "Honest requests while another network floods the server, and right after.",
            "The generator sends the flood as fast as it can and, between, honest requests at a rate. Nothing may be lost",
            "before or after; the longest latency after the flood is how long the server took to recover.",
            "",
            "Example: ./guidepost bench flood --door handle --rate 1000"
        },
        mixinStandardHelpOptions = true)
public final class FloodScene extends BenchScene {
    /** What is flooded. */
    enum Door {
        /** Lookups of GNRS. */
        GNRS,
        /** Resolutions of the Handle protocol over UDP. */
        HANDLE,
        /** Lists of Proxidor. */
        PROXIDOR
    }

    private static final double NANOS_PER_SECOND = 1e9;

    /** Honest clients and the flood are in two networks. */
    private static final String HONEST = "127.0.1.1";

    private static final String FLOODER = "127.0.9.1";

    private static final int OUTSTANDING_MAX = 4096;
    private static final int HANDLES = 1000;
    private static final int LISTS = 200;
    private static final int ROUTERS = 216;
    private static final int GARBAGE = 256;
    private static final int GARBAGE_BYTES_MIN = 16;
    private static final int GARBAGE_BYTES_MAX = 64;

    @Option(
            names = "--door",
            paramLabel = "DOOR",
            description = "gnrs, handle or proxidor (default ${DEFAULT-VALUE}).")
    private Door door = Door.GNRS;

    @Option(names = "--rate", paramLabel = "N", description = "Honest requests a second (default ${DEFAULT-VALUE}).")
    private int rate = 1000;

    @Option(names = "--records", paramLabel = "N", description = "Records of GNRS (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--size", paramLabel = "N", description = "Addresses in a list (default ${DEFAULT-VALUE}).")
    private int size = 100;

    @Option(names = "--garbage", description = "Floods with malformed datagrams instead of requests.")
    private boolean garbage;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        BenchTarget server = server(stage);
        Port honestPort = port(stage, HONEST);
        Port floodPort = port(stage, FLOODER);
        UdpLoadGenerator honest = new UdpLoadGenerator(
                honestPort, server.address(), requests(honestPort), OUTSTANDING_MAX, rate, server::cpuNanos);
        UdpRequests flooding = requests(floodPort);
        FloodGenerator flood = garbage
                ? new FloodGenerator(
                        List.of(floodPort),
                        List.of(server.address()),
                        garbage(),
                        flooding.idOffset(),
                        Double.POSITIVE_INFINITY)
                : FloodGenerator.unlimited(List.of(floodPort), server.address(), flooding);
        honest.run(options.warmNanos(), 0);
        List<LoadResult> before = new ArrayList<>();
        List<LoadResult> during = new ArrayList<>();
        List<LoadResult> after = new ArrayList<>();
        List<Double> offered = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            stage.progress().say("round " + round + " of " + options.rounds());
            before.add(honest.run(options.roundWarmNanos(), options.windowNanos()));
            long start = System.nanoTime();
            long sent = flood.accepted();
            flood.begin(start);
            honest.alongside(flood);
            during.add(honest.run(options.roundWarmNanos(), options.windowNanos()));
            offered.add((flood.accepted() - sent) / ((System.nanoTime() - start) / NANOS_PER_SECOND));
            honest.alongside(() -> {});
            after.add(honest.run(0, options.windowNanos()));
        }
        return new BenchReport(
                "Honest requests beside a flood of " + (garbage ? "garbage" : "requests") + ": "
                        + door.name().toLowerCase(Locale.ROOT),
                List.of("", "flood/s", "requests", "lost", "lost %", "p50 us", "p99 us", "max us", "server busy"),
                List.of(
                        row("before", "0", before),
                        row("during the flood", MedianSpread.of(offered), during),
                        row("right after it", "0", after)),
                List.of("Median of " + options.rounds() + " rounds (smallest-largest); requests and lost are sums."));
    }

    private BenchTarget server(BenchStage stage) throws IOException {
        return switch (door) {
            case GNRS -> gnrs(stage);
            case HANDLE -> stage.keep(
                    HandleUnderTest.start("guidepost", options.serverCpu(), stage.folder(), HANDLES).overUdp());
            case PROXIDOR -> {
                ProxidorTestNetwork network = ProxidorTestNetwork.of(options.smoke() ? 10 : ROUTERS);
                Path files = network.writeFiles(stage.folder().resolve("network"));
                yield stage.keep(
                        ProxidorUnderTest.start(stage, "guidepost", options.serverCpu(), files, Map.of()));
            }
        };
    }

    private ServerUnderTest gnrs(BenchStage stage) {
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of());
        stage.load(server, options.size(records, 1000));
        return server;
    }

    private static Port port(BenchStage stage, String address) {
        return stage.port(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
    }

    private UdpRequests requests(Port from) {
        return switch (door) {
            case GNRS -> new GnrsLookupRequests(options.size(records, 1000), from.localAddress());
            case HANDLE -> new HandleRequests(HandleUnderTest.PREFIX, HANDLES, OpFlag.PUBL);
            case PROXIDOR -> new ProxidorRequests(LISTS, size, null);
        };
    }

    /** Returns datagrams that a server must refuse. */
    static List<byte[]> garbage() {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> noise = new ArrayList<>();
        for (int i = 0; i < GARBAGE; i++) {
            byte[] datagram = new byte[GARBAGE_BYTES_MIN + random.nextInt(GARBAGE_BYTES_MAX - GARBAGE_BYTES_MIN)];
            random.nextBytes(datagram);
            noise.add(datagram);
        }
        return noise;
    }

    private static List<Object> row(String name, Object flood, List<LoadResult> results) {
        long sent = results.stream().mapToLong(LoadResult::sent).sum();
        long lost = results.stream().mapToLong(LoadResult::lost).sum();
        return List.of(
                name,
                flood,
                sent,
                lost,
                String.format(Locale.ROOT, "%.3f", sent == 0 ? 0 : 100.0 * lost / sent),
                MedianSpread.of(results, each -> each.latencyMicros(50)),
                MedianSpread.of(results, each -> each.latencyMicros(99)),
                MedianSpread.of(results, LoadResult::latencyMicrosMax),
                MedianSpread.of(results, LoadResult::serverBusy));
    }
}
