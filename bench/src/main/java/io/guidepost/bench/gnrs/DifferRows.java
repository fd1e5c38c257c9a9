package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.Syndromes;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two servers with the same records, one of which gets a write that never reaches the other, and for which no hint is kept: what it costs
 * to find that record among all and to mend it, and, as the baseline, to find two that syndromes do not tell apart.
 *
 * <p>The write is a MERGE as of a coordinator that was lost with its hints. The comparison that would come within {@code
 * sites.compare-millis} is asked for at once, as a server does that catches up. A difference is confirmed a second later, or, where the
 * other server compares by itself meanwhile, after half a second at least.
 */
final class DifferRows {
    private static final int SERVERS = 2;
    private static final int REPLICAS = 5;
    private static final String NAME = "differ";
    private static final String STORE = "-store";
    private static final String MEMORY = "4 GiB";

    /** No difference is confirmed sooner, so no look at the records before is needed. */
    private static final long UNCONFIRMED_NANOS = 400_000_000L;

    private static final long LOOK_NANOS = 2_000_000L;
    private static final long AGREE_LOOK_NANOS = 200_000_000L;
    private static final long AGREED_NANOS_MAX = 1_800_000_000_000L;
    private static final String BEHIND = "\"catchingUp\": true";
    private static final String ALIKE = "\"rangesDiffering\": 0";

    private final SceneOptions options;
    private final BenchStage stage;
    private final Path table;
    private final int records;

    /** The next record that has not been changed yet. */
    private int next;

    private record Round(double mendedMillis, double bytes, double cpuMillis, double compared, double located, double scanned) {}

    DifferRows(SceneOptions options, BenchStage stage, Path table, int records) {
        this.options = options;
        this.stage = stage;
        this.table = table;
        this.records = records;
    }

    BenchReport play() throws IOException {
        load();
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                NAME,
                options.serverCpu(),
                new SitesUnderTest.Plan(table, SERVERS, SERVERS, 0, REPLICAS),
                Map.of("store.memory", MEMORY, "sites.compare-millis", Integer.toString(Integer.MAX_VALUE)));
        stage.progress().say("waiting until both have counted their records");
        awaitAgreement(sites);
        List<Round> one = new ArrayList<>();
        List<Round> two = new ArrayList<>();
        try (PeerImpostor coordinator = new PeerImpostor(sites.addresses().get(1), sites.placement().fingerprint());
                PeerImpostor other = new PeerImpostor(sites.addresses().get(0), sites.placement().fingerprint())) {
            for (int round = 0; round < options.rounds(); round++) {
                stage.progress().say("round " + (round + 1) + ": one record");
                one.add(play(sites, coordinator, other, List.of(shared(sites, null))));
                stage.progress().say("round " + (round + 1) + ": two records of one group");
                Guid first = shared(sites, null);
                two.add(play(sites, coordinator, other, List.of(first, shared(sites, first))));
            }
        }
        double shared = sites.server(0).admin("/sites").lines()
                .filter(line -> line.contains("\"recordsShared\""))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                .max()
                .orElse(records);
        sites.close();
        return new BenchReport(
                "Records that differ, of " + MedianSpread.number(records),
                List.of("", "mended, ms after the write", "bytes sent", "CPU ms", "compared", "located", "scanned"),
                List.of(row("one differs", one), row("two of one group differ", two)),
                List.of(
                        "Median of " + options.rounds() + " rounds (smallest-largest). Two servers share " + MedianSpread.number(shared)
                                + " records and a processor. A difference is confirmed half a second to a second after the write.",
                        "Bytes are those that both sent to each other, and CPU is of both, from the write on; compared: records,"
                                + " located and scanned: ranges, by either server."));
    }

    /** Loads one server that knows of no other, and gives each of the two a copy of its store. */
    private void load() throws IOException {
        ServerUnderTest loader = stage.server(NAME, options.serverCpu(), Map.of("store.memory", MEMORY));
        stage.load(loader, records);
        loader.end();
        loader.close();
        Path loaded = stage.folder().resolve(NAME + STORE);
        for (int i = 1; i <= SERVERS; i++) {
            Path copy = stage.folder().resolve(NAME + "-" + i + STORE);
            try (Stream<Path> files = Files.walk(loaded)) {
                // The process leaves a socket behind, too.
                for (Path each : files.filter(file -> Files.isDirectory(file) || Files.isRegularFile(file)).toList()) {
                    Files.copy(each, copy.resolve(loaded.relativize(each).toString()));
                }
            }
        }
    }

    private static List<Object> row(String name, List<Round> rounds) {
        List<Object> row = new ArrayList<>(List.of(name));
        List<ToDoubleFunction<Round>> figures =
                List.of(Round::mendedMillis, Round::bytes, Round::cpuMillis, Round::compared, Round::located, Round::scanned);
        figures.forEach(each -> row.add(MedianSpread.of(rounds, each)));
        return row;
    }

    /** Returns a record that both servers keep; one of the same group of ranges as another, if that is given. */
    private Guid shared(SitesUnderTest sites, @Nullable Guid like) {
        for (int i = next; i < records; i++) {
            Guid guid = SyntheticRecords.guid(i);
            if (sites.placement().servers(guid).size() == SERVERS && (like == null || !guid.equals(like) && group(guid) == group(like))) {
                next = like == null ? i + 1 : next;
                return guid;
            }
        }
        throw new BenchFailure("there are too few records for " + options.rounds() + " rounds");
    }

    private static int group(Guid guid) {
        return Syndromes.group(DigestRanges.of(MemorySegment.ofArray(guid.toBytes()), 0));
    }

    private Round play(SitesUnderTest sites, PeerImpostor coordinator, PeerImpostor other, List<Guid> guids) {
        awaitAgreement(sites);
        IdleWait.AFTER_LOADING.await(sites::cpuNanos);
        double[] before = metrics(sites);
        long own = coordinator.bytes() + other.bytes();
        long cpu = sites.cpuNanos();
        long from = System.nanoTime();
        List<Long> digests = new ArrayList<>();
        for (Guid each : guids) {
            digests.add(coordinator.merge(sites.addresses().get(0), each));
        }
        coordinator.askForComparison(sites.addresses().get(0));
        BenchStage.rest(UNCONFIRMED_NANOS);
        long looks = 0;
        for (int i = 0; i < guids.size(); looks++) {
            if (other.has(sites.addresses().get(1), guids.get(i), digests.get(i))) {
                i++;
            } else if (System.nanoTime() - from > AGREED_NANOS_MAX) {
                throw new BenchFailure("after half an hour a record that differs is not mended");
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        double mended = (System.nanoTime() - from) / 1e6;
        IdleWait.AFTER_LOADING.await(sites::cpuNanos);
        double used = (sites.cpuNanos() - cpu) / 1e6;
        double[] after = metrics(sites);
        own = coordinator.bytes() + other.bytes() - own;
        return new Round(
                mended, after[0] - before[0] - own, used, after[1] - before[1] - looks, after[2] - before[2], after[3] - before[3]);
    }

    private static void awaitAgreement(SitesUnderTest sites) {
        long from = System.nanoTime();
        for (int i = 0; i < SERVERS; ) {
            String page = sites.server(i).admin("/sites");
            if (page.contains(ALIKE) && !page.contains(BEHIND)) {
                i++;
            } else if (System.nanoTime() - from > AGREED_NANOS_MAX) {
                throw new BenchFailure("after half an hour the servers still differ");
            } else {
                LockSupport.parkNanos(AGREE_LOOK_NANOS);
            }
        }
    }

    /**
     * Returns bytes of GNRS, records compared, ranges located, ranges scanned, of both servers. Requests of anti-entropy are seen at
     * the port that receives them.
     */
    private static double[] metrics(SitesUnderTest sites) {
        double[] sums = new double[4];
        for (int i = 0; i < SERVERS; i++) {
            ServerUnderTest server = sites.server(i);
            sums[0] += server.metric("guidepost_port_bytes_total");
            sums[1] += server.metric("guidepost_peer_compared_records_total");
            sums[2] += server.metric("guidepost_peer_differences_total", "found=\"located\"");
            sums[3] += server.metric("guidepost_peer_differences_total", "found=\"scanned\"");
        }
        return sums;
    }
}
