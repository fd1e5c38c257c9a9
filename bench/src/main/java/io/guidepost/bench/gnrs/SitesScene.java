package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The cost of records that other servers keep. */
@Command(
        name = "sites",
        description = {
            "Five servers: relayed lookups, and inserts by quorum.",
            "Relayed against local lookups, at saturation and at a fixed rate; inserts that a",
            "majority of K = 1, 3, 5 servers must hold, after fsync and after the operating system has them.",
            "",
            "With --members: the start of one of the five in a deployment of that size, whose other servers never respond.",
            "With --differ: what it costs two servers to find one record of many that differs, and two of one group.",
            "",
            "Example: ./guidepost bench sites --rate 2000",
            "         ./guidepost bench sites --members 26424",
            "         ./guidepost bench sites --differ --records 10000000"
        },
        mixinStandardHelpOptions = true)
public final class SitesScene extends BenchScene {
    private static final int SERVERS = 5;
    private static final int RECORDS = 50_000;
    private static final int RECORDS_DIFFER = 1_000_000;
    private static final InetAddress CLIENT = SitesUnderTest.loopback(2, 1);

    private static final List<Integer> REPLICAS = List.of(1, 3, 5);
    private static final List<String> DURABILITIES = List.of("fsync", "os");

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests a second of the paced rows (default ${DEFAULT-VALUE}).")
    private int rate = 2000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests of the other rows (default ${DEFAULT-VALUE}).")
    private int outstanding = 128;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default 50000; with --differ 1000000).")
    private int records;

    @Option(
            names = "--members",
            paramLabel = "N",
            description = "Instead: servers of a deployment, and how one of them greets the others when it starts.")
    private int members;

    @Option(names = "--differ", description = "Instead: one record of those of two servers differs, and is mended.")
    private boolean differ;

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table; a generated one if not given.")
    private @Nullable Path prefixes;

    /** Microseconds of processor time of each server per response, one entry a round, by contestant. */
    private final Map<String, List<double[]>> cpu = new LinkedHashMap<>();

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        Path table = prefixes != null
                ? prefixes.toAbsolutePath()
                : PlacementTables.of(null, null, options.smoke(), stage.folder()).prefixes();
        if (differ) {
            return new DifferRows(options, stage, table, options.size(records > 0 ? records : RECORDS_DIFFER, 5000)).play();
        }
        int loaded = options.size(records > 0 ? records : RECORDS, 500);
        if (members > 0) {
            return new MembersRows(options, stage, table, members, loaded).play();
        }
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        lookups(stage, table, loaded, rows, notes);
        for (String durability : options.smoke() ? DURABILITIES.subList(1, 2) : DURABILITIES) {
            inserts(stage, table, durability, rows, notes);
        }
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest). The servers share one"
                + " processor. CPU is that of the server asked, and of the other four together, for each answer.");
        return new BenchReport(
                "Records at other servers, " + SERVERS + " servers",
                List.of("", "answers/s", "p50 us", "p99 us", "CPU us, asked", "CPU us, others", "lost", "failed"),
                rows,
                notes);
    }

    private void lookups(
            BenchStage stage, Path table, int count, List<List<Object>> rows, List<String> notes) throws IOException {
        // The remote record cache is off, or soon no request would be relayed.
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "site",
                options.serverCpu(),
                new SitesUnderTest.Plan(table, SERVERS, SERVERS, 0, 1),
                Map.of("sites.cache-ttl-millis", "0"));
        ServerUnderTest asked = sites.server(0);
        stage.load(asked, count, LoadProfile.closed(KeyDistribution.sequential(0, count), 64).withRecursion());
        KeyDistribution local = recordsOf(sites.placement(), asked.address(), count, true);
        KeyDistribution remote = recordsOf(sites.placement(), asked.address(), count, false);
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        add(stage, contestants, sites, "local lookups", LoadProfile.closed(local, outstanding));
        add(stage, contestants, sites, "relayed lookups", LoadProfile.closed(remote, outstanding));
        add(stage, contestants, sites, "local lookups, paced", LoadProfile.open(local, rate));
        add(stage, contestants, sites, "relayed lookups, paced", LoadProfile.open(remote, rate));
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        rows(rounds, contestants, rows);
        notes.add("relayed / local: answers/s " + rounds.ratio("relayed lookups", "local lookups", LoadResult::repliesPerSecond)
                + "; at " + rate + "/s a hop adds to the median "
                + added(rounds, 50) + " us, to p99 " + added(rounds, 99) + " us.");
        sites.close();
    }

    private static MedianSpread added(AlternatingRounds rounds, double percentile) {
        List<LoadResult> relayed = rounds.of("relayed lookups, paced");
        List<LoadResult> local = rounds.of("local lookups, paced");
        return MedianSpread.of(IntStream.range(0, local.size())
                .mapToObj(i -> relayed.get(i).latencyMicros(percentile) - local.get(i).latencyMicros(percentile))
                .toList());
    }

    private void inserts(
            BenchStage stage, Path table, String durability, List<List<Object>> rows, List<String> notes) throws IOException {
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        List<SitesUnderTest> all = new ArrayList<>();
        List<Integer> numbers = options.smoke() ? List.of(1, SERVERS) : REPLICAS;
        for (int replicas : numbers) {
            SitesUnderTest sites = SitesUnderTest.start(
                    stage,
                    durability + " " + replicas,
                    options.serverCpu(),
                    new SitesUnderTest.Plan(table, SERVERS, SERVERS, 0, replicas),
                    Map.of("store.durability", durability));
            all.add(sites);
            KeyDistribution keys = KeyDistribution.sequential(0, SyntheticRecords.RECORDS_MAX / 2);
            LoadProfile load = LoadProfile.closed(keys, outstanding).withChanges(keys, LoadProfile.WHOLE, 0);
            add(stage, contestants, sites, name(durability, replicas), load);
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        rows(rounds, contestants, rows);
        for (int replicas : numbers.subList(1, numbers.size())) {
            notes.add(name(durability, replicas) + " / K = 1: answers/s "
                    + rounds.ratio(name(durability, replicas), name(durability, 1), LoadResult::repliesPerSecond) + ".");
        }
        all.forEach(SitesUnderTest::close);
    }

    private static String name(String durability, int replicas) {
        return "inserts, " + durability + ", K = " + replicas;
    }

    private void add(
            BenchStage stage, Map<String, Supplier<LoadResult>> contestants, SitesUnderTest sites, String name, LoadProfile load) {
        GnrsLoadGenerator generator = stage.generator(
                sites.server(0), load.withRecursion(), 1, SegmentationOffload.OFF, CLIENT, sites::cpuNanos);
        stage.progress().say("warming up " + name);
        generator.run(options.warmNanos(), 0);
        contestants.put(name, () -> {
            LoadResult tally = generator.run(options.roundWarmNanos(), options.windowNanos());
            long[] nanos = sites.cpuNanosOfEach();
            double others = Arrays.stream(nanos).skip(1).sum();
            cpu.computeIfAbsent(name, first -> new ArrayList<>()).add(new double[] {
                nanos[0] / 1e3 / tally.replies(), others / 1e3 / tally.replies()
            });
            return tally;
        });
    }

    private void rows(AlternatingRounds rounds, Map<String, Supplier<LoadResult>> contestants, List<List<Object>> rows) {
        for (String name : contestants.keySet()) {
            rows.add(List.of(
                    name,
                    rounds.spread(name, LoadResult::repliesPerSecond),
                    rounds.spread(name, each -> each.latencyMicros(50)),
                    rounds.spread(name, each -> each.latencyMicros(99)),
                    cpuOf(name, 0),
                    cpuOf(name, 1),
                    rounds.of(name).stream().mapToLong(LoadResult::lost).sum(),
                    rounds.of(name).stream().mapToLong(each -> each.failed() + each.missing() + each.wrong()).sum()));
        }
    }

    private MedianSpread cpuOf(String name, int which) {
        return MedianSpread.of(cpu.getOrDefault(name, List.of()), each -> each[which]);
    }

    /** Returns those of the records that a server keeps, or those that it does not. */
    private static KeyDistribution recordsOf(Placement placement, InetSocketAddress server, int count, boolean kept) {
        IntPredicate wanted = record ->
                placement.servers(SyntheticRecords.guid(record)).contains(server) == kept;
        return KeyDistribution.listed(IntStream.range(0, count).filter(wanted).toArray());
    }
}
