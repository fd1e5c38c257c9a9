package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.GnrsRequestTemplates;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.bench.process.InterferenceMeter;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RandomizedWindows;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.placement.Replica;
import io.guidepost.names.Guid;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Names chosen so that one server has to keep them all. */
@Command(
        name = "ground",
        description = {
            "Honest lookups at a server on which names were ground to land.",
            "Of many hashes tried the name is taken that leads most replicas to the victim, which is then asked for such",
            "names at a rate. The same datagrams sent to a socket without a reader show what of the difference is the",
            "generator's own. Many short windows show more than few long ones.",
            "",
            "Example: ./guidepost bench ground --rounds 40 --seconds 0.4"
        },
        mixinStandardHelpOptions = true)
public final class GroundScene extends BenchScene {
    /** Offset of the request id of a GNRS message. */
    private static final int REQUEST_ID = 4;

    /** The victim. The other servers have nothing to do with lookups of what it keeps itself. */
    private static final int RUNNING = 1;

    private static final int REPLICAS = 5;

    /** Names of the attack that needs one replica at the victim only: they are found quickly. */
    private static final int EASY_NAMES = 10_000;

    private static final int NETWORKS = 40;
    private static final String QUIET = "quiet";
    private static final String NO_READER = "as below, without a reader";

    /** Decides the order of windows. */
    private static final long SEED = 20;

    /** Between two windows, until what the first one left to do is done. */
    private static final long REST_NANOS = 50_000_000;

    private static final double DEFENCE_SECONDS = 2;

    /** What the victim counts of requests that it does not answer at once. */
    private static final List<String> HOLDS = List.of(
            "source_quota", "name_quota", "in_flight_max", "queue_full", "peers_max");

    @Option(names = "--rate", paramLabel = "N", description = "Honest lookups a second (default ${DEFAULT-VALUE}).")
    private int rate = 5000;

    @Option(names = "--attack", paramLabel = "N", description = "Attacking requests a second (default ${DEFAULT-VALUE}).")
    private int attackRate = 100_000;

    @Option(
            names = "--attack-inserts",
            paramLabel = "N",
            description = "The same where they are inserts (default ${DEFAULT-VALUE}).")
    private int insertRate = 10_000;

    @Option(names = "--tries", paramLabel = "N", description = "Hashes tried for each name (default ${DEFAULT-VALUE}).")
    private int tries = 1_000_000;

    @Option(names = "--names", paramLabel = "N", description = "Names so ground (default ${DEFAULT-VALUE}).")
    private int names = 16;

    @Option(names = "--servers", paramLabel = "N", description = "Servers that ASes are bound to (default ${DEFAULT-VALUE}).")
    private int servers = 128;

    @Option(names = "--records", paramLabel = "N", description = "Honest records loaded (default ${DEFAULT-VALUE}).")
    private int records = 20_000;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "Only attacks with this in their name, and what they are compared with (default: all).")
    private String only = "";

    @Option(names = "--real-time", description = "The server has workers.real-time on.")
    private boolean realTime;

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table; a generated one if not given.")
    private @Nullable Path prefixes;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        Path table = prefixes != null
                ? prefixes.toAbsolutePath()
                : PlacementTables.of(null, null, options.smoke(), stage.folder()).prefixes();
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "site",
                options.serverCpu(),
                new SitesUnderTest.Plan(table, RUNNING, servers, 0, REPLICAS),
                Map.of("workers.real-time", Boolean.toString(realTime)));
        ServerUnderTest victim = sites.server(0);
        int count = options.size(records, 200);
        int[] kept = IntStream.iterate(0, record -> record + 1)
                .filter(record -> sites.placement().servers(SyntheticRecords.guid(record)).contains(victim.address()))
                .limit(count)
                .toArray();
        load(stage, victim, kept);
        stage.progress().say("grinding names");
        Ground hard = grind(sites.placement(), victim.address(), options.size(names, 2), options.size(tries, 1000));
        Ground easy = grind(sites.placement(), victim.address(), options.size(EASY_NAMES, 50), 2 * servers);
        Port unread = stage.port(new InetSocketAddress(SitesUnderTest.loopback(3, 1), 0));
        Port one = stage.port(new InetSocketAddress(SitesUnderTest.loopback(4, 1), 0));
        List<Port> many = IntStream.range(0, NETWORKS)
                .mapToObj(i -> stage.port(new InetSocketAddress(SitesUnderTest.loopback(10 + i, 1), 0)))
                .toList();
        int fast = options.size(attackRate, 5000);
        int slow = options.size(insertRate, 1000);
        Map<String, FloodGenerator> attacks = new LinkedHashMap<>();
        attacks.put(QUIET, new FloodGenerator(List.of(one), List.of(), List.of(), REQUEST_ID, 0));
        attacks.put(NO_READER, attack(List.of(one), unread.localAddress(), hard, GnrsRequestTemplates.Kind.LOOKUP, fast));
        attacks.put("lookups, " + hard.names.size() + " names",
                attack(List.of(one), victim.address(), hard, GnrsRequestTemplates.Kind.LOOKUP, fast));
        attacks.put("lookups, " + easy.names.size() + " names",
                attack(List.of(one), victim.address(), easy, GnrsRequestTemplates.Kind.LOOKUP, fast));
        attacks.put("the same from " + NETWORKS + " networks",
                attack(many, victim.address(), easy, GnrsRequestTemplates.Kind.LOOKUP, fast));
        attacks.put("inserts, " + hard.names.size() + " names",
                attack(List.of(one), victim.address(), hard, GnrsRequestTemplates.Kind.INSERT, slow));
        attacks.keySet().removeIf(name -> !name.contains(only) && !name.equals(QUIET) && !name.equals(NO_READER));
        GnrsLoadGenerator lookups = stage.generator(
                victim,
                LoadProfile.open(KeyDistribution.listed(kept), rate),
                1,
                SegmentationOffload.OFF,
                SitesUnderTest.loopback(2, 1),
                () -> ProcessMeter.UNKNOWN);
        stage.progress().say("warming up");
        for (FloodGenerator each : attacks.values()) {
            window(lookups, each, options.warmNanos() / attacks.size());
        }
        ProcessMeter self = new ProcessMeter(ProcessHandle.current().pid());
        InterferenceMeter strangers = new InterferenceMeter(victim.pid());
        Map<String, Supplier<RandomizedWindows.Window>> contestants = new LinkedHashMap<>();
        attacks.forEach((name, each) -> contestants.put(name, () -> {
            IdleWait.BETWEEN_WINDOWS.await(() -> self.cpuNanos() + victim.cpuNanos());
            strangers.begin();
            LoadResult tally = window(lookups, each, options.windowNanos());
            return RandomizedWindows.Window.of(tally, strangers.nanos());
        }));
        RandomizedWindows windows = RandomizedWindows.play(options.rounds(), contestants, SEED, stage.progress());
        Map<String, Defence> defences = new LinkedHashMap<>();
        attacks.forEach((name, each) -> defences.put(name, defence(victim, lookups, each)));
        return new BenchReport(
                "Names ground to land on one server of " + servers,
                List.of(
                        "", "attack/s", "lookups", "lost", "p50 us", "p99 us", "p99 / quiet", "p99 / without a reader",
                        "p99 / quiet, middle window", "undisturbed windows", "their p99 us", "their p99 / quiet",
                        "their p99 / without a reader", "server busy", "held back %"),
                rows(windows, windows.undisturbed(), attacks, defences),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "%d windows of %.2f s of each, in an order drawn for each block of one of each;"
                                        + " quantiles are of all lookups of all windows, those that were lost the slowest."
                                        + " In parentheses: where 95 of 100 lie when blocks are drawn again and again.",
                                options.rounds(), options.windowNanos() / 1e9),
                        "Honest lookups: " + rate + " a second. An attack begins and ends with its window; before"
                                + " the next one is a rest of " + REST_NANOS / 1_000_000 + " ms without.",
                        "Middle window: p99 of a window divided by that of the quiet one of its block, the median of all.",
                        "A window begins when neither the server nor this program computes anything; it is undisturbed if"
                                + " other processes, the kernel's threads and this program's compilers used less than half"
                                + " a hundredth of it.",
                        "Processors that the server used, and attacking requests that waited, were dropped or were"
                                + " refused, are of one more window of each, " + seconds() + " s long.",
                        String.format(
                                Locale.ROOT,
                                "Replicas of %d that are the victim's: %.2f of each of the %d names (%,d hashes tried"
                                        + " each), %.2f of each of the %d (%d tried).",
                                REPLICAS, hard.replicas, hard.names.size(), options.size(tries, 1000), easy.replicas,
                                easy.names.size(), 2 * servers)));
    }

    /** Honest lookups for a rest that does not count, then for a window, the attack from its first moment to its last. */
    private static LoadResult window(GnrsLoadGenerator honest, FloodGenerator attack, long nanos) {
        attack.begin(System.nanoTime() + REST_NANOS);
        honest.alongside(attack);
        LoadResult tally = honest.run(REST_NANOS, nanos);
        honest.alongside(() -> {});
        return tally;
    }

    /**
     * What the victim did of an attack.
     *
     * @param busy processors that it used
     * @param heldBack share of the attacking requests that waited behind others, were dropped or were refused
     */
    private record Defence(double busy, double heldBack) {}

    private double seconds() {
        return options.smoke() ? 0.2 : DEFENCE_SECONDS;
    }

    /** One more window, which is not measured but counted: asking the victim for its counts would disturb it. */
    private Defence defence(ServerUnderTest victim, GnrsLoadGenerator honest, FloodGenerator attack) {
        double before = heldBack(victim);
        long cpuBefore = victim.cpuNanos();
        window(honest, attack, (long) (seconds() * 1e9));
        long cpuAfter = victim.cpuNanos();
        double held = heldBack(victim) - before;
        return new Defence(
                (cpuAfter - cpuBefore) / (seconds() * 1e9 + REST_NANOS),
                attack.perSecond() == 0 ? 0 : held / (attack.perSecond() * seconds()));
    }

    private static double heldBack(ServerUnderTest victim) {
        return victim.admin("/metrics")
                .lines()
                .filter(line -> line.startsWith("guidepost_port_deferred_total{")
                        || line.startsWith("guidepost_port_drops_total{") && line.contains("reason=\"heavy_hitter_")
                        || line.matches("guidepost_gnrs_(lookups|writes)_total\\{.*")
                                && HOLDS.stream().anyMatch(each -> line.contains("=\"" + each + "\"")))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static void load(BenchStage stage, ServerUnderTest victim, int[] kept) {
        stage.progress().say("loading " + kept.length + " records");
        KeyDistribution keys = KeyDistribution.listed(kept);
        LoadProfile load = LoadProfile.closed(keys, 64).withChanges(keys, LoadProfile.WHOLE, 0);
        LoadResult tally = stage.generator(victim, load).runCount(kept.length);
        if (tally.answered() != kept.length || !tally.clean()) {
            throw new BenchFailure(victim.name() + " did not take all of " + kept.length + " records: " + tally.failed()
                    + " failed, " + tally.lost() + " lost");
        }
    }

    private static List<List<Object>> rows(
            RandomizedWindows windows, RandomizedWindows undisturbed, Map<String, FloodGenerator> attacks, Map<String, Defence> defences) {
        List<List<Object>> rows = new ArrayList<>();
        attacks.forEach((name, attack) -> {
            Defence defence = defences.getOrDefault(name, new Defence(Double.NaN, Double.NaN));
            rows.add(List.of(
                    name,
                    attack.perSecond(),
                    windows.sum(name, LoadResult::sent),
                    windows.sum(name, LoadResult::lost),
                    windows.micros(name, 50),
                    windows.micros(name, 99),
                    windows.ratio(name, QUIET, 99),
                    windows.ratio(name, NO_READER, 99),
                    windows.middleRatio(name, QUIET, 99),
                    undisturbed.count(name),
                    undisturbed.micros(name, 99),
                    undisturbed.ratio(name, QUIET, 99),
                    undisturbed.ratio(name, NO_READER, 99),
                    defence.busy,
                    100 * defence.heldBack));
        });
        return rows;
    }

    /** Names, and how many of the replicas of each are the victim's on average. */
    private record Ground(List<Guid> names, double replicas) {}

    /** Returns names, each the best of a number of tries. */
    private static Ground grind(Placement placement, InetSocketAddress victim, int names, int tries) {
        SplittableRandom random = new SplittableRandom(names);
        MemorySegment guid = MemorySegment.ofArray(new byte[Guid.BYTES]);
        // Most have nothing at the victim, which is found out soon.
        Placer placer = placement.placer();
        List<Guid> found = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < names; i++) {
            Guid best = Guid.read(guid, 0);
            int most = -1;
            for (int tried = 0; tried < tries && most < REPLICAS; tried++) {
                guid.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, random.nextLong());
                guid.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, random.nextLong());
                guid.set(ValueLayout.JAVA_INT_UNALIGNED, 16, random.nextInt());
                if (most >= 0 && !placer.isHere(guid, 0)) {
                    continue;
                }
                Guid next = Guid.read(guid, 0);
                int there = replicas(placement, victim, next);
                if (there > most) {
                    most = there;
                    best = next;
                }
            }
            found.add(best);
            sum += most;
        }
        return new Ground(found, (double) sum / names);
    }

    private static int replicas(Placement placement, InetSocketAddress victim, Guid guid) {
        int there = 0;
        for (Replica each : placement.replicas(guid)) {
            there += each.server().filter(victim::equals).isPresent() ? 1 : 0;
        }
        return there;
    }

    private static FloodGenerator attack(
            List<Port> from, InetSocketAddress to, Ground ground, GnrsRequestTemplates.Kind kind, double perSecond) {
        List<byte[]> datagrams = new ArrayList<>();
        GnrsRequestTemplates questions = new GnrsRequestTemplates(SitesUnderTest.NOWHERE);
        for (Guid each : ground.names) {
            MemorySegment segment = MemorySegment.ofArray(new byte[GnrsRequestTemplates.BYTES_MAX]);
            int length = kind == GnrsRequestTemplates.Kind.LOOKUP
                    ? questions.lookup(segment, 0, 0, 0)
                    : questions.change(kind, segment, 0, 0, 0, 4000);
            questions.name(segment, 0, each);
            datagrams.add(segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        }
        return new FloodGenerator(from, List.of(to), datagrams, REQUEST_ID, perSecond);
    }
}
