package io.guidepost.bench.alto;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.DoorUnderTest;
import io.guidepost.bench.scene.MedianSpread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists ranked over UDP at saturation, against the C program that does the same work. */
@Command(
        name = "proxidor",
        description = {
            "Lists of addresses ranked over UDP at saturation, against a C program that does the same work",
            "(recvmmsg and sendmmsg of 64, header checks, DIR-24-8, counting sort). Every response is compared with the",
            "expected order.",
            "",
            "Example: ./guidepost bench proxidor --sizes 10,100,363 --routers 10,216,5000"
        },
        mixinStandardHelpOptions = true)
public final class ProxidorScene extends BenchScene {
    /** Lists of 100 per second on one core of the original Oracle (Poese, 2009). */
    private static final double THESIS = 5_100;

    private static final int THESIS_SIZE = 100;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "N,...",
            description = "Addresses in each list (default 2,10,50,100,200,300,363).")
    private List<Integer> sizes = List.of(2, 10, 50, 100, 200, 300, 363);

    @Option(
            names = "--routers",
            split = ",",
            paramLabel = "N,...",
            description = "Routers of the network: 10, or 97 to 5000 (default 216).")
    private List<Integer> routers = List.of(216);

    @Option(names = "--lists", paramLabel = "N", description = "Different lists of each size (default ${DEFAULT-VALUE}).")
    private int lists = 1000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    private final List<List<Object>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    @Override
    public BenchReport play(BenchStage stage) {
        for (int each : options.smoke() ? List.of(10) : routers) {
            play(stage, each);
        }
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest). The thesis ranked "
                + MedianSpread.number(THESIS) + " lists of 100 in a second on a core.");
        return new BenchReport(
                "Lists ranked over UDP against C",
                List.of(
                        "routers", "addresses", "lists/s", "in C", "ratio", "CPU us/list", "CPU us/list in C", "addresses/s", "p50 us",
                        "p99 us", "lost %"),
                rows,
                notes);
    }

    private void play(BenchStage stage, int number) {
        stage.progress().say("making a network of " + number + " routers");
        ProxidorTestNetwork network = ProxidorTestNetwork.of(number);
        Path files = network.writeFiles(stage.folder().resolve("network-" + number));
        Path table = network.writeTable(stage.folder().resolve("table-" + number));
        String name = "guidepost " + number;
        try (DoorUnderTest server =
                        ProxidorUnderTest.start(stage, name, options.serverCpu(), files, Map.of());
                CBaseline responder = CBaseline.ofProxidor(options.serverCpu(), stage.folder(), table)) {
            boolean first = true;
            for (int size : options.smoke() ? List.of(2, 363) : sizes) {
                ProxidorRequests questions = new ProxidorRequests(options.size(lists, 20), size, network);
                Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
                for (BenchTarget target : List.of(server, responder)) {
                    UdpLoadGenerator asking =
                            new UdpLoadGenerator(stage.port(), target.address(), questions, outstanding, target::cpuNanos);
                    if (first) {
                        warmUp(stage, target, asking::run);
                    }
                    contestants.put(target.name(), () -> asking.run(options.roundWarmNanos(), options.windowNanos()));
                }
                first = false;
                note(number, size, AlternatingRounds.play(options.rounds(), contestants, stage.progress()));
            }
        }
    }

    private void note(int number, int size, AlternatingRounds rounds) {
        List<String> names = List.of("guidepost " + number, "C responder");
        String ours = names.get(0);
        String theirs = names.get(1);
        MedianSpread rate = rounds.spread(ours, LoadResult::repliesPerSecond);
        rows.add(List.of(
                number,
                size,
                rate,
                rounds.spread(theirs, LoadResult::repliesPerSecond),
                rounds.ratio(ours, theirs, LoadResult::repliesPerSecond),
                rounds.spread(ours, LoadResult::cpuMicrosPerReply),
                rounds.spread(theirs, LoadResult::cpuMicrosPerReply),
                rounds.spread(ours, tally -> size * tally.repliesPerSecond()),
                rounds.spread(ours, tally -> tally.latencyMicros(50)),
                rounds.spread(ours, tally -> tally.latencyMicros(99)),
                rounds.spread(ours, tally -> 100 * tally.lossShare())));
        if (size == THESIS_SIZE) {
            notes.add(number + " routers, 100 addresses: " + String.format(Locale.ROOT, "%.0f", rate.median() / THESIS)
                    + " times a core of the thesis.");
        }
        for (String name : names) {
            long wrong = rounds.of(name).stream()
                    .mapToLong(each -> each.wrong() + each.failed())
                    .sum();
            if (wrong > 0) {
                notes.add(name + ", " + size + " addresses: " + wrong + " answers wrong, or none.");
            }
            long limited = rounds.of(name).stream().filter(LoadResult::generatorIsLimit).count();
            if (limited > 0) {
                notes.add(name + ", " + size + " addresses: in " + limited + " rounds the generator was the bottleneck: the rate"
                        + " says nothing, the CPU per list does.");
            }
        }
    }
}
