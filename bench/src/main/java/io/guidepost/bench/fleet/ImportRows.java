package io.guidepost.bench.fleet;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What {@code guidepost fleet import} takes to move names out of a server's own files into three nodes, against a bare program that makes
 * the same statements for as many names; each is a process of its own, timed from its start to its end, and gets a keyspace of its own.
 * Then two front ends at once are asked for every name, and what either of them does not have is counted.
 */
final class ImportRows {
    private static final int NODES = 3;
    private static final int FRONT_ENDS = 2;

    /** As many as the import has under way at a time. */
    private static final int BARE_CLIENTS = 128;

    /** Names of the bare program: its rate needs no more. */
    private static final int BARE_MAX = 200_000;

    private static final int OUTSTANDING = 64;
    private static final long SECONDS_MAX = TimeUnit.HOURS.toSeconds(6);

    /** A node that is busy lets some statements time out: such a name is asked for again. */
    private static final int PASSES_MAX = 20;

    private final SceneOptions options;
    private final BenchStage stage;
    private final int records;

    /**
     * What a front end answered.
     *
     * @param missing names that it did not answer right, however often it was asked
     * @param without answers in which a name was missing or another
     * @param failed answers FAILED, and those that did not come
     */
    private record Found(double perSecond, long missing, long without, long failed) {}

    ImportRows(SceneOptions options, BenchStage stage, int records) {
        this.options = options;
        this.stage = stage;
        this.records = records;
    }

    BenchReport play() throws IOException {
        Path names = names();
        CassandraUnderTest cluster = CassandraUnderTest.start(stage, ProcessPinning.ANYWHERE, NODES);
        List<Double> imported = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            cluster.makeTables(keyspace(round));
            imported.add(imports(cluster, names, keyspace(round)));
            cluster.makeTables("bare" + round);
            bare.add(bare(cluster, "bare" + round));
        }
        rows.add(List.of(
                "fleet import / bare driver", MedianSpread.of(imported), MedianSpread.of(bare),
                MedianSpread.ratio(imported, bare, Double::doubleValue), "", ">= 0.5"));
        List<ServerUnderTest> frontEnds = frontEnds(cluster);
        for (Found each : asked(frontEnds)) {
            rows.add(List.of(
                    "all asked of a front end", each.perSecond, "", "",
                    each.missing + " missing; " + each.without + " answers without it, " + each.failed + " failed or lost", "0 missing"));
        }
        return new BenchReport(
                MedianSpread.number(records) + " names, three nodes, two front ends",
                List.of("", "names/s", "bare driver, names/s", "ratio", "names", "target"),
                rows,
                List.of(
                        "Median of " + options.rounds() + " alternating rounds (smallest-largest); the bare program has at most "
                                + MedianSpread.number(BARE_MAX) + " names.",
                        "Nodes, and all that asks them, share all processors. Both front ends are asked at the same time."));
    }

    private static String keyspace(int round) {
        return "import" + round;
    }

    /** Returns a file of names, exported from the files of a server. */
    private Path names() throws IOException {
        Path file = stage.folder().resolve("names.gpn");
        Path store = stage.folder().resolve("exported");
        ServerUnderTest files = stage.server("own files", ProcessPinning.ANYWHERE, Map.of("store.folder", store.toString()));
        stage.load(files, records);
        files.close();
        command("fleet", "export", file.toString(), "--set", "store.folder=" + store);
        try (Stream<Path> all = Files.walk(store)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
        return file;
    }

    /** Returns names a second. */
    private double imports(CassandraUnderTest cluster, Path names, String keyspace) {
        stage.progress().say("importing " + records + " names");
        long from = System.nanoTime();
        command("fleet", "import", names.toString(), "--set", "store.engine=cassandra", "--set", "fleet.keyspace=" + keyspace, "--set",
                "fleet.contact-points=" + cluster.contactPoint());
        return records / seconds(from);
    }

    private double bare(CassandraUnderTest cluster, String keyspace) {
        int count = Math.min(records, BARE_MAX);
        stage.progress().say("the bare driver makes " + count + " names");
        long from = System.nanoTime();
        try (ClientsProcess clients = ClientsProcess.start(stage, cluster, "driver", keyspace, BARE_CLIENTS)) {
            long made = clients.run(ClusterClients.Operation.IMPORT, count, count, TimeUnit.SECONDS.toNanos(SECONDS_MAX)).replies();
            return made / seconds(from);
        }
    }

    private static double seconds(long from) {
        return (System.nanoTime() - from) / 1e9;
    }

    private void command(String... words) {
        try (ChildProcess child =
                ChildProcess.start("command", ProcessPinning.ANYWHERE, stage.folder(), ServerUnderTest.command(words))) {
            child.finish(SECONDS_MAX);
        }
    }

    private List<ServerUnderTest> frontEnds(CassandraUnderTest cluster) {
        List<ServerUnderTest> all = new ArrayList<>();
        for (int i = 1; i <= FRONT_ENDS; i++) {
            all.add(cluster.frontEnd(stage, "front end " + i, keyspace(options.rounds()), Map.of()));
        }
        return all;
    }

    private List<Found> asked(List<ServerUnderTest> frontEnds) {
        stage.progress().say("asking for all names");
        List<CompletableFuture<Found>> all = frontEnds.stream()
                .map(each -> CompletableFuture.supplyAsync(
                        () -> found(each), task -> Thread.ofPlatform().name("generator").start(task)))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    private Found found(ServerUnderTest frontEnd) {
        KeyDistribution keys = KeyDistribution.sequential(0, records);
        long from = System.nanoTime();
        long without = 0;
        long failed = 0;
        int count = records;
        for (int pass = 1; pass <= PASSES_MAX && count > 0; pass++) {
            List<Integer> unanswered = new ArrayList<>();
            GnrsLoadGenerator generator = generator(frontEnd, keys);
            generator.onUnanswered(unanswered::add);
            LoadResult result = generator.runCount(count);
            without += result.missing() + result.wrong();
            failed += result.failed() + result.lost();
            count = unanswered.size();
            keys = count == 0 ? keys : KeyDistribution.listed(unanswered.stream().mapToInt(Integer::intValue).toArray());
        }
        return new Found(records / seconds(from), count, without, failed);
    }

    /** Both front ends have threads of their own, and one stage. */
    private synchronized GnrsLoadGenerator generator(ServerUnderTest frontEnd, KeyDistribution keys) {
        return stage.generator(frontEnd, LoadProfile.closed(keys, OUTSTANDING));
    }
}
