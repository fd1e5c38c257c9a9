package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Two servers with the same records, one of which gets a write that never reaches the other, and for which no hint is kept: what it costs
 * to find that record among all and to mend it, and, as the baseline, to find two that syndromes do not tell apart.
 *
 * <p>The write is a MERGE as of a coordinator that was lost with its hints. The comparison that would come within {@code
 * sites.compare-millis} is asked for at once, as a server does that catches up; it is confirmed a second later.
 */
final class DifferRows {
    private static final int SERVERS = 2;
    private static final int REPLICAS = 5;
    private static final long STORE_BYTES = 4L << 30;
    private static final long CONFIRM_NANOS = 1_000_000_000L;
    private static final long LOOK_NANOS = 2_000_000L;
    private static final long AGREE_LOOK_NANOS = 200_000_000L;
    private static final long AGREED_NANOS_MAX = 300_000_000_000L;
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
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "differ",
                options.serverCpu(),
                new SitesUnderTest.Plan(table, SERVERS, SERVERS, 0, REPLICAS),
                Map.of("store.memory", Long.toString(STORE_BYTES), "sites.compare-millis", Integer.toString(Integer.MAX_VALUE)));
        stage.load(sites.server(0), records, LoadProfile.closed(KeyDistribution.sequential(0, records), 256).withRecursion());
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
                List.of("", "mended after, ms", "bytes sent", "CPU ms", "compared", "located", "scanned"),
                List.of(row("one differs", one), row("two of one group differ", two)),
                List.of(
                        "Median of " + options.rounds() + " rounds (smallest-largest). Two servers share " + MedianSpread.number(shared)
                                + " records and a processor. Time begins a second after the write, when the difference is confirmed.",
                        "Bytes are those that both sent to each other, CPU is of both, the second of confirmation included; compared:"
                                + " records, located and scanned: ranges, by either server."));
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
        long own = coordinator.received() + other.received();
        long cpu = sites.cpuNanos();
        long from = System.nanoTime();
        List<Long> digests = new ArrayList<>();
        for (Guid each : guids) {
            digests.add(coordinator.merge(sites.addresses().get(0), each));
        }
        coordinator.askForComparison(sites.addresses().get(0));
        LockSupport.parkNanos(CONFIRM_NANOS * 9 / 10);
        long looks = 0;
        for (int i = 0; i < guids.size(); looks++) {
            if (other.has(sites.addresses().get(1), guids.get(i), digests.get(i))) {
                i++;
            } else if (System.nanoTime() - from > AGREED_NANOS_MAX) {
                throw new BenchFailure("after five minutes a record that differs is not mended");
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        double mended = (System.nanoTime() - from - CONFIRM_NANOS) / 1e6;
        IdleWait.AFTER_LOADING.await(sites::cpuNanos);
        double used = (sites.cpuNanos() - cpu) / 1e6;
        double[] after = metrics(sites);
        own = coordinator.received() + other.received() - own;
        return new Round(
                mended, after[0] - before[0] - own, used, after[1] - before[1] - looks, after[2] - before[2], after[3] - before[3]);
    }

    private static void awaitAgreement(SitesUnderTest sites) {
        long from = System.nanoTime();
        for (int i = 0; i < SERVERS; ) {
            if (sites.server(i).admin("/sites").contains(ALIKE)) {
                i++;
            } else if (System.nanoTime() - from > AGREED_NANOS_MAX) {
                throw new BenchFailure("after five minutes the servers still differ");
            } else {
                LockSupport.parkNanos(AGREE_LOOK_NANOS);
            }
        }
    }

    /** Returns bytes sent over UDP, records compared, ranges located, ranges scanned, of both servers. */
    private static double[] metrics(SitesUnderTest sites) {
        double[] sums = new double[4];
        for (int i = 0; i < SERVERS; i++) {
            ServerUnderTest server = sites.server(i);
            String page = server.admin("/metrics");
            sums[0] += sum(page, "guidepost_port_bytes_total", "direction=\"out\"");
            sums[1] += sum(page, "guidepost_peer_compared_records_total", "");
            sums[2] += sum(page, "guidepost_peer_differences_total", "found=\"located\"");
            sums[3] += sum(page, "guidepost_peer_differences_total", "found=\"scanned\"");
        }
        return sums;
    }

    private static double sum(String page, String metric, String label) {
        return page.lines()
                .filter(line -> line.startsWith(metric + "{") && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
