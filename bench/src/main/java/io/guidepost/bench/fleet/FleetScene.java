package io.guidepost.bench.fleet;

import io.guidepost.bench.fleet.ClusterClients.Operation;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RunningServerCommand.Generator;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What front ends of a fleet cost. */
@Command(
        name = "fleet",
        description = {
            "Front ends of a fleet, with one node of Apache Cassandra on the servers' processor.",
            "Look-ups from the cache against a server with its own files; misses, merges and creates against a bare program",
            "with the same driver and the same statements; two front ends against one.",
            "A node takes a JDK 17 in /usr/lib/jvm, a GiB of memory, and half a minute to start.",
            "",
            "Example: ./guidepost bench fleet --vs-driver --seconds 3 --rounds 3"
        },
        mixinStandardHelpOptions = true)
public final class FleetScene extends BenchScene {
    private static final int HIT_RECORDS = 1000;
    private static final int HITS_OUTSTANDING = 256;
    private static final String KEYSPACE = "guidepost";
    private static final String BARE_KEYSPACE = "bare";
    private static final String DRIVER = "driver";
    private static final String STORE = "store";
    private static final String STATEMENTS = "guidepost_fleet_statements_total";

    @Option(names = "--hits", description = "Only look-ups from the cache.")
    private boolean hits;

    @Option(names = "--vs-driver", description = "Only misses, merges and creates.")
    private boolean driver;

    @Option(names = "--two", description = "Only two front ends against one.")
    private boolean two;

    @Option(
            names = "--import",
            description = "Only guidepost fleet import into three nodes, against the bare driver; then two front ends are asked for each"
                    + " name. Takes 4 GiB of memory.")
    private boolean imports;

    @Option(names = "--records", paramLabel = "N", description = "Names (default ${DEFAULT-VALUE}); more than answers of a second.")
    private int records = 20_000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests, but of hits, which are " + HITS_OUTSTANDING + " (default ${DEFAULT-VALUE}).")
    private int outstanding = 64;

    private final List<List<Object>> rows = new ArrayList<>();

    /** The loads of a row, made for the server that they are to meet. */
    private enum Load {
        HITS,
        MISSES,
        MERGES
    }

    /** One side of a row; where statements are of interest, asks for some of them and returns how many each answer took. */
    private record Contestant(String name, LongSupplier cpuNanos, Generator load, Supplier<Object> statements, List<Double> node) {
        Contestant(String name, LongSupplier cpuNanos, Generator load, Supplier<Object> statements) {
            this(name, cpuNanos, load, statements, new ArrayList<>());
        }
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        boolean all = !hits && !driver && !two;
        records = options.size(records, 500);
        if (imports) {
            return new ImportRows(options, stage, records).play();
        }
        CassandraUnderTest node = CassandraUnderTest.start(stage, options.serverCpu(), 1);
        node.makeTables(KEYSPACE);
        MeasuredCluster cluster = new MeasuredCluster(stage, node);
        ServerUnderTest one = cluster.frontEnd("front end", Map.of());
        stage.load(one, records, LoadProfile.closed(KeyDistribution.sequential(0, records), outstanding));
        if (hits || all) {
            ServerUnderTest files = stage.server("own files", options.serverCpu(), Map.of());
            stage.load(files, HIT_RECORDS);
            ServerUnderTest lasting = cluster.frontEnd("lasting", Map.of("fleet.stale-millis", "3600000"));
            Contestant embedded = cluster.gnrs(files, Load.HITS);
            cluster.row("hits, none renewed", cluster.gnrs(lasting, Load.HITS), embedded, ">= 0.95");
            cluster.row("hits, 1,000 names renewed each second", cluster.gnrs(one, Load.HITS), embedded, "");
            lasting.close();
            files.close();
        }
        if (driver || all) {
            node.makeTables(BARE_KEYSPACE);
            ClientsProcess bare = ClientsProcess.start(stage, node, DRIVER, BARE_KEYSPACE, outstanding);
            bare.load(records);
            cluster.row("misses", cluster.gnrs(one, Load.MISSES), contestant(DRIVER, bare, Operation.MISS, records), ">= 0.8");
            cluster.row("merges", cluster.gnrs(one, Load.MERGES), contestant(DRIVER, bare, Operation.MERGE, records), ">= 0.8");
            ClientsProcess store = ClientsProcess.start(stage, node, STORE, KEYSPACE, outstanding);
            cluster.row(
                    "creates, store alone", contestant(STORE, store, Operation.CREATE, 0),
                    contestant(DRIVER, bare, Operation.CREATE, 0), ">= 0.7");
        }
        if (two || all) {
            twoAgainst(one, cluster, stage);
        }
        return new BenchReport(
                "A front end of a fleet",
                List.of("", "beside", "rate, front end / other", "CPU, other / front end", "CPU of the node, other / front end",
                        "statements", "not right", "target of the rate"),
                rows,
                List.of(
                        "Median of " + options.rounds() + " alternating rounds (smallest-largest). The node and all that asks it share one"
                                + " processor, the generator has another.",
                        "CPU is that of each answer; statements are those of each answer of the front end, a batch is one.",
                        "Where the front end is two, they tell each other of writes, and the other is one, with as many requests."));
    }

    private void twoAgainst(ServerUnderTest one, MeasuredCluster cluster, BenchStage stage) throws IOException {
        Path key = Files.writeString(stage.folder().resolve("key"), "a key of this benchmark alone");
        Map<String, String> settings = Map.of(
                "sites.key-file", key.toString(),
                "fleet.front-ends", "127.0.0.1:" + ServerUnderTest.freeUdpPort() + ",127.0.0.1:" + ServerUnderTest.freeUdpPort());
        ServerUnderTest first = cluster.frontEnd("first of two", settings);
        ServerUnderTest second = cluster.frontEnd("second of two", settings);
        for (Load each : Load.values()) {
            Contestant a = cluster.gnrs(first, each, 2);
            Contestant b = cluster.gnrs(second, each, 2);
            Contestant both = new Contestant(
                    "two", () -> a.cpuNanos.getAsLong() + b.cpuNanos.getAsLong(), (warm, window) -> together(a, b, warm, window),
                    a.statements);
            cluster.row(each.name().toLowerCase(Locale.ROOT) + ", two front ends", both, cluster.gnrs(one, each), "CPU 0.9 to 1.1");
        }
    }

    private static LoadResult together(Contestant a, Contestant b, long warmNanos, long windowNanos) {
        CompletableFuture<LoadResult> other = CompletableFuture.supplyAsync(
                () -> b.load.run(warmNanos, windowNanos), task -> Thread.ofPlatform().name("generator").start(task));
        LoadResult mine = a.load.run(warmNanos, windowNanos);
        LoadResult theirs = other.join();
        return ClientsProcess.result(
                windowNanos, mine.replies() + theirs.replies(), notRight(mine) + notRight(theirs),
                mine.serverNanos() + theirs.serverNanos());
    }

    private static Contestant contestant(String way, ClientsProcess clients, Operation operation, int of) {
        return new Contestant(
                way, clients::cpuNanos, (_, window) -> clients.run(operation, of, Integer.MAX_VALUE, window), () -> "-");
    }

    private static long notRight(LoadResult round) {
        return round.wrong() + round.missing() + round.failed() + round.lost();
    }

    /** A node, and what is measured beside it. */
    private final class MeasuredCluster {
        private final BenchStage stage;
        private final CassandraUnderTest node;

        MeasuredCluster(BenchStage stage, CassandraUnderTest node) {
            this.stage = stage;
            this.node = node;
        }

        ServerUnderTest frontEnd(String name, Map<String, String> settings) {
            return node.frontEnd(stage, name, KEYSPACE, settings);
        }

        Contestant gnrs(ServerUnderTest server, Load load) {
            return gnrs(server, load, 1);
        }

        /** Returns one of several that have the outstanding requests together. */
        Contestant gnrs(ServerUnderTest server, Load load, int several) {
            KeyDistribution inTurn = KeyDistribution.sequential(0, records);
            LoadProfile asked = load == Load.HITS
                    ? LoadProfile.closed(KeyDistribution.uniform(Math.min(HIT_RECORDS, records), 1), HITS_OUTSTANDING / several)
                    : LoadProfile.closed(inTurn, Math.max(1, outstanding / several));
            GnrsLoadGenerator generator = stage.generator(
                    server,
                    load == Load.MERGES ? asked.withChanges(inTurn, LoadProfile.WHOLE / 2, LoadProfile.WHOLE / 2) : asked,
                    1,
                    SegmentationOffload.OFF);
            return new Contestant(server.name(), server::cpuNanos, generator::run, () -> {
                // Names of hits became too old while the other had its turn.
                generator.run(0, options.roundWarmNanos());
                double before = server.metric(STATEMENTS);
                int count = options.size(load == Load.HITS ? 200_000 : 5000, 100);
                generator.runCount(count);
                return (server.metric(STATEMENTS) - before) / count;
            });
        }

        void row(String what, Contestant frontEnd, Contestant other, String target) {
            Map<String, Supplier<LoadResult>> turns = new LinkedHashMap<>();
            for (Contestant each : List.of(frontEnd, other)) {
                stage.progress().say("warming up " + each.name + " for " + what);
                each.node.clear();
                warmUp(each.cpuNanos, each.load);
                turns.put(each.name, () -> measured(each));
            }
            AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), turns, stage.progress());
            rows.add(List.of(
                    what,
                    other.name,
                    rounds.ratio(frontEnd.name, other.name, LoadResult::repliesPerSecond),
                    rounds.ratio(other.name, frontEnd.name, LoadResult::cpuMicrosPerReply),
                    MedianSpread.ratio(other.node, frontEnd.node, Double::doubleValue),
                    frontEnd.statements.get(),
                    rounds.of(frontEnd.name).stream().mapToLong(FleetScene::notRight).sum() + " / "
                            + rounds.of(other.name).stream().mapToLong(FleetScene::notRight).sum(),
                    target));
        }

        /** The beginning of a round is not measured; of the node's time it is, as that of what it does afterwards. */
        private LoadResult measured(Contestant each) {
            each.load.run(0, options.roundWarmNanos());
            long before = node.cpuNanos();
            LoadResult round = each.load.run(0, options.windowNanos());
            each.node.add((node.cpuNanos() - before) / (double) Math.max(1, round.replies()));
            return round;
        }
    }
}
