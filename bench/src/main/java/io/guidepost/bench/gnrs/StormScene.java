package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.GnrsRequestTemplates;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The published denial-of-service study, repeated: recursive inserts of one name, from a site, to all servers. */
@Command(
        name = "storm",
        description = {
            "Honest requests while a compromised site storms all servers with inserts of one name.",
            "They are marked recursive and sent to each of five servers at a fixed gap, answers ignored: the published",
            "denial-of-service study of the old servers, and denser than that.",
            "",
            "Example: ./guidepost bench storm --rate 500"
        },
        mixinStandardHelpOptions = true)
public final class StormScene extends BenchScene {
    /** Offset of the request id of a GNRS message. */
    private static final int REQUEST_ID = 4;

    private static final int SERVERS = 5;

    /** The compromised site's address among those of the servers, and a stranger's in a network of its own. */
    private static final InetAddress SITE = SitesUnderTest.loopback(0, SERVERS + 1);

    private static final InetAddress STRANGER = SitesUnderTest.loopback(1, 1);
    private static final InetAddress CLIENT = SitesUnderTest.loopback(2, 1);

    /** The record that is attacked; no honest client asks for it. */
    private static final int CHOSEN = SyntheticRecords.RECORDS_MAX - 1;

    private static final String QUIET = ", quiet";

    /** What the study saw, for comparison; other machines, another network. */
    private static final String PUBLISHED = "The published study of the old servers, 1000 inserts on 4 to 8 machines:"
            + " quiet 1000 succeed, median 4.0 ms; every 8 or 4 ms 604 (median 10.7 ms), 493 (431 ms), 53 (3-11 ms), and"
            + " in one run of 8 ms no loss.";

    @Option(names = "--rate", paramLabel = "N", description = "Honest requests a second (default ${DEFAULT-VALUE}).")
    private int rate = 500;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 20_000;

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table; a generated one if not given.")
    private @Nullable Path prefixes;

    /** One who attacks, and the milliseconds between two INSERTs to each server. */
    private record Attacker(String name, boolean site, double gapMillis) {}

    private static final List<Attacker> ATTACKERS = List.of(
            new Attacker("a site, every 8 ms", true, 8),
            new Attacker("a site, every 4 ms", true, 4),
            new Attacker("a site, every 0.1 ms", true, 0.1),
            new Attacker("a stranger, every 4 ms", false, 4),
            new Attacker("a stranger, every 0.1 ms", false, 0.1));

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(records, 500);
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "site",
                options.serverCpu(),
                new SitesUnderTest.Plan(prefixes(stage), SERVERS, SERVERS, 1, 5),
                Map.of());
        ServerUnderTest asked = sites.server(0);
        stage.load(asked, count, LoadProfile.closed(KeyDistribution.sequential(0, count), 64).withRecursion());
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        Port site = stage.port(new InetSocketAddress(SITE, sites.port()));
        Port stranger = stage.port(new InetSocketAddress(STRANGER, 0));
        for (boolean inserts : new boolean[] {true, false}) {
            String kind = inserts ? "inserts" : "lookups";
            KeyDistribution keys = inserts ? KeyDistribution.sequential(count, SyntheticRecords.RECORDS_MAX / 4)
                    : KeyDistribution.uniform(count, 1);
            LoadProfile load = LoadProfile.open(keys, rate).withRecursion();
            GnrsLoadGenerator honest = stage.generator(
                    asked,
                    inserts ? load.withChanges(keys, LoadProfile.WHOLE, 0) : load,
                    1,
                    SegmentationOffload.OFF,
                    CLIENT,
                    sites::cpuNanos);
            stage.progress().say("warming up " + kind);
            honest.run(options.warmNanos(), 0);
            contestants.put(kind + QUIET, () -> round(honest, null));
            for (Attacker each : ATTACKERS) {
                FloodGenerator attack = attack(sites, each.site ? site : stranger, each.gapMillis);
                contestants.put(kind + ", " + each.name, () -> round(honest, attack));
            }
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport(
                "Recursive inserts of one name to all servers",
                List.of(
                        "", "requests", "success %", "median us", "median / quiet", "p99 us", "max us",
                        "processors that all servers used"),
                rows(rounds, List.copyOf(contestants.keySet())),
                List.of(
                        "Median of " + options.rounds() + " alternating rounds (smallest-largest); requests are sums.",
                        "Honest requests leave " + rate + " a second, recursive, for one of " + SERVERS
                                + " servers, K = 5; an insert is of a new name.",
                        PUBLISHED));
    }

    private Path prefixes(BenchStage stage) throws IOException {
        return prefixes != null
                ? prefixes.toAbsolutePath()
                : PlacementTables.of(null, null, options.smoke(), stage.folder()).prefixes();
    }

    private LoadResult round(GnrsLoadGenerator honest, @Nullable FloodGenerator attack) {
        if (attack != null) {
            attack.begin(System.nanoTime());
            honest.alongside(attack);
        }
        LoadResult tally = honest.run(options.roundWarmNanos(), options.windowNanos());
        honest.alongside(() -> {});
        return tally;
    }

    private static FloodGenerator attack(SitesUnderTest sites, Port from, double gapMillis) {
        GnrsRequestTemplates questions = new GnrsRequestTemplates(from.localAddress(), true);
        MemorySegment segment = MemorySegment.ofArray(new byte[GnrsRequestTemplates.BYTES_MAX]);
        int length = questions.change(GnrsRequestTemplates.Kind.INSERT, segment, 0, 0, CHOSEN, 4000);
        byte[] insert = segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        List<InetSocketAddress> to = sites.addresses();
        return new FloodGenerator(List.of(from), to, List.of(insert), REQUEST_ID, to.size() * 1000 / gapMillis);
    }

    private static List<List<Object>> rows(AlternatingRounds rounds, List<String> names) {
        List<List<Object>> rows = new ArrayList<>();
        for (String name : names) {
            String quiet = name.substring(0, name.indexOf(',')) + QUIET;
            List<LoadResult> tallies = rounds.of(name);
            long sent = tallies.stream().mapToLong(LoadResult::sent).sum();
            long right = tallies.stream()
                    .mapToLong(each -> each.answered() - each.failed() - each.missing() - each.wrong())
                    .sum();
            rows.add(List.of(
                    name,
                    sent,
                    String.format(Locale.ROOT, "%.3f", sent == 0 ? 0 : 100.0 * right / sent),
                    rounds.spread(name, each -> each.latencyMicros(50)),
                    rounds.ratio(name, quiet, each -> each.latencyMicros(50)),
                    rounds.spread(name, each -> each.latencyMicros(99)),
                    rounds.spread(name, LoadResult::latencyMicrosMax),
                    rounds.spread(name, LoadResult::serverBusy)));
        }
        return rows;
    }
}
