package io.guidepost.bench.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Honest lookups while the server is flooded with garbage, and after. */
@Command(
        name = "flood",
        description = {
            "Honest lookups while garbage floods the server, and right after.",
            "The generator sends garbage as fast as it can and, between, lookups at a rate. Nothing may be lost before or",
            "after; the longest latency after the flood is how long the server took to recover.",
            "",
            "Example: ./guidepost bench flood --rate 1000"
        },
        mixinStandardHelpOptions = true)
public final class FloodScene extends BenchScene {
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--rate", paramLabel = "N", description = "Lookups a second (default ${DEFAULT-VALUE}).")
    private int rate = 1000;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Override
    public BenchReport play(BenchStage stage) {
        int count = options.size(records, 1000);
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of());
        stage.load(server, count);
        GnrsLoadGenerator prober = stage.generator(server, LoadProfile.open(KeyDistribution.uniform(count, 1), rate));
        Garbage garbage = new Garbage(stage.port(), server.address());
        prober.run(options.warmNanos(), 0);
        List<LoadResult> before = new ArrayList<>();
        List<LoadResult> during = new ArrayList<>();
        List<LoadResult> after = new ArrayList<>();
        List<Double> offered = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            stage.progress().say("round " + round + " of " + options.rounds());
            before.add(prober.run(options.roundWarmNanos(), options.windowNanos()));
            prober.alongside(garbage);
            long sent = garbage.sent;
            long start = System.nanoTime();
            during.add(prober.run(options.roundWarmNanos(), options.windowNanos()));
            offered.add((garbage.sent - sent) / ((System.nanoTime() - start) / NANOS_PER_SECOND));
            prober.alongside(() -> {});
            after.add(prober.run(0, options.windowNanos()));
        }
        return new BenchReport(
                "Honest lookups beside a flood of garbage",
                List.of("", "garbage/s", "lookups", "lost", "lost %", "p50 us", "p99 us", "max us", "server busy"),
                List.of(
                        row("before", "0", before),
                        row("during the flood", MedianSpread.of(offered).toString(), during),
                        row("right after it", "0", after)),
                List.of("Median of " + options.rounds() + " rounds (smallest-largest); lookups and lost are sums."));
    }

    private static List<String> row(String name, String garbage, List<LoadResult> tallies) {
        long sent = tallies.stream().mapToLong(LoadResult::sent).sum();
        long lost = tallies.stream().mapToLong(LoadResult::lost).sum();
        return List.of(
                name,
                garbage,
                Long.toString(sent),
                Long.toString(lost),
                String.format(java.util.Locale.ROOT, "%.3f", sent == 0 ? 0 : 100.0 * lost / sent),
                MedianSpread.of(tallies.stream().map(each -> each.latencyMicros(50)).toList()).toString(),
                MedianSpread.of(tallies.stream().map(each -> each.latencyMicros(99)).toList()).toString(),
                MedianSpread.of(tallies.stream().map(LoadResult::latencyMicrosMax).toList()).toString(),
                MedianSpread.of(tallies.stream().map(LoadResult::serverBusy).toList()).toString());
    }

    /** Datagrams that a server must refuse: noise, and requests of which a few bytes were changed. */
    private static final class Garbage implements Runnable {
        private final TxQueue tx;
        private final Burst burst;
        private final long high;
        private final long low;
        private final int port;
        private final SplittableRandom random = new SplittableRandom(1);
        private final MemorySegment request;
        private long sent;

        Garbage(Port from, InetSocketAddress server) {
            tx = from.tx(0);
            burst = tx.burst();
            high = Addresses.high(server.getAddress());
            low = Addresses.low(server.getAddress());
            port = server.getPort();
            request = MemorySegment.ofArray(new byte[64]);
            random.nextBytes((byte[]) request.heapBase().orElseThrow());
        }

        /** Sends one burst. */
        @Override
        public void run() {
            while (burst.hasRoom() && burst.count() < 64) {
                int length = 1 + random.nextInt(64);
                MemorySegment.copy(request, 0, burst.segment(), burst.room(), length);
                burst.segment().set(ValueLayout.JAVA_INT_UNALIGNED, burst.room(), length < 4 ? 0 : random.nextInt());
                burst.append(length, high, low, port);
            }
            sent += burst.count() - tx.send(burst);
        }
    }
}
