package io.guidepost.bench;

import io.guidepost.gnrs.Placement;
import io.guidepost.gnrs.Replica;
import io.guidepost.names.Guid;
import io.guidepost.packet.Port;
import io.guidepost.packet.Trains;
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
            "names at a rate. The same datagrams sent to a socket that nobody reads show what of the difference is the",
            "generator's own.",
            "",
            "Example: ./guidepost bench ground --attack 100000"
        },
        mixinStandardHelpOptions = true)
final class GroundScene extends Scene {
    private static final int RUNNING = 2;
    private static final int REPLICAS = 5;

    /** Names of the attack that needs one replica at the victim only: they are found quickly. */
    private static final int EASY_NAMES = 10_000;

    private static final int NETWORKS = 40;

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

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table; a generated one if not given.")
    private @Nullable Path prefixes;

    @Override
    Report play(Stage stage) throws IOException {
        Path table = prefixes != null
                ? prefixes.toAbsolutePath()
                : PlacementTables.of(null, null, options.smoke(), stage.folder()).prefixes();
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "site",
                options.serverCpu(),
                new SitesUnderTest.Plan(table, RUNNING, servers, 0, REPLICAS),
                Map.of());
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
        Generator lookups = generator(stage, victim, Load.open(Keys.listed(kept), rate));
        Port nobody = stage.port(new InetSocketAddress(SitesUnderTest.loopback(3, 1), 0));
        Port one = stage.port(new InetSocketAddress(SitesUnderTest.loopback(4, 1), 0));
        List<Port> many = IntStream.range(0, NETWORKS)
                .mapToObj(i -> stage.port(new InetSocketAddress(SitesUnderTest.loopback(10 + i, 1), 0)))
                .toList();
        int attackers = options.size(attackRate, 5000);
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        contestants.put("quiet", () -> lookups.run(options.roundWarmNanos(), options.windowNanos()));
        add(contestants, "as below, sent to nobody", lookups,
                attack(List.of(one), nobody.localAddress(), easy, Questions.Kind.LOOKUP, attackers));
        add(contestants, "lookups, " + hard.names.size() + " names", lookups,
                attack(List.of(one), victim.address(), hard, Questions.Kind.LOOKUP, attackers));
        add(contestants, "lookups, " + easy.names.size() + " names", lookups,
                attack(List.of(one), victim.address(), easy, Questions.Kind.LOOKUP, attackers));
        add(contestants, "the same from " + NETWORKS + " networks", lookups,
                attack(many, victim.address(), easy, Questions.Kind.LOOKUP, attackers));
        add(contestants, "inserts, " + easy.names.size() + " names", lookups,
                attack(List.of(one), victim.address(), easy, Questions.Kind.INSERT, options.size(insertRate, 1000)));
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        return new Report(
                "Names ground to land on one server of " + servers,
                List.of(
                        "", "attack/s", "lookups", "lost %", "p50 us", "p99 us", "p99 / quiet", "p99 / sent to nobody",
                        "server busy"),
                rows(rounds, List.copyOf(contestants.keySet())),
                List.of(
                        "Median of " + options.rounds() + " alternating rounds (smallest-largest); lookups are sums.",
                        "Honest lookups: " + rate + " a second.",
                        String.format(
                                Locale.ROOT,
                                "Replicas of %d that are the victim's: %.2f of each of the %d names (%,d hashes tried"
                                        + " each), %.2f of each of the %d (%d tried).",
                                REPLICAS, hard.replicas, hard.names.size(), options.size(tries, 1000), easy.replicas,
                                easy.names.size(), 2 * servers)));
    }

    private final Map<String, Double> rates = new LinkedHashMap<>();

    private Generator generator(Stage stage, ServerUnderTest victim, Load load) {
        Generator generator = stage.generator(
                victim, load, 1, Trains.OFF, SitesUnderTest.loopback(2, 1), victim::cpuNanos);
        stage.progress().say("warming up");
        generator.run(options.warmNanos(), 0);
        return generator;
    }

    private static void load(Stage stage, ServerUnderTest victim, int[] kept) {
        stage.progress().say("loading " + kept.length + " records");
        Keys keys = Keys.listed(kept);
        Load load = Load.closed(keys, 64).withChanges(keys, Load.WHOLE, 0);
        Tally tally = stage.generator(victim, load).runCount(kept.length);
        if (tally.answered() != kept.length || !tally.clean()) {
            throw new Failure(victim.name() + " did not take all of " + kept.length + " records: " + tally.failed()
                    + " failed, " + tally.lost() + " lost");
        }
    }

    private void add(Map<String, Supplier<Tally>> contestants, String name, Generator honest, Attack attack) {
        rates.put(name, attack.perSecond());
        contestants.put(name, () -> {
            attack.begin(System.nanoTime());
            honest.alongside(attack);
            Tally tally = honest.run(options.roundWarmNanos(), options.windowNanos());
            honest.alongside(() -> {});
            return tally;
        });
    }

    private List<List<String>> rows(Rounds rounds, List<String> contestants) {
        List<List<String>> rows = new ArrayList<>();
        for (String name : contestants) {
            rows.add(List.of(
                    name,
                    Spread.number(rates.getOrDefault(name, 0.0)),
                    Long.toString(rounds.of(name).stream().mapToLong(Tally::sent).sum()),
                    rounds.spread(name, each -> 100 * each.lossShare()).toString(),
                    rounds.spread(name, each -> each.latencyMicros(50)).toString(),
                    rounds.spread(name, each -> each.latencyMicros(99)).toString(),
                    rounds.ratio(name, contestants.get(0), each -> each.latencyMicros(99)).toString(),
                    rounds.ratio(name, contestants.get(1), each -> each.latencyMicros(99)).toString(),
                    rounds.spread(name, Tally::serverBusy).toString()));
        }
        return rows;
    }

    /** Names, and how many of the replicas of each are the victim's on average. */
    private record Ground(List<Guid> names, double replicas) {}

    /** Takes for each name the best of so many. */
    private static Ground grind(Placement placement, InetSocketAddress victim, int names, int tries) {
        SplittableRandom random = new SplittableRandom(names);
        List<Guid> found = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < names; i++) {
            Guid best = new Guid(random.nextLong(), random.nextLong(), random.nextInt());
            int most = replicas(placement, victim, best);
            for (int tried = 1; tried < tries && most < REPLICAS; tried++) {
                Guid next = new Guid(random.nextLong(), random.nextLong(), random.nextInt());
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

    private static Attack attack(
            List<Port> from, InetSocketAddress to, Ground ground, Questions.Kind kind, double perSecond) {
        List<byte[]> datagrams = new ArrayList<>();
        Questions questions = new Questions(SitesUnderTest.NOWHERE);
        for (Guid each : ground.names) {
            MemorySegment segment = MemorySegment.ofArray(new byte[Questions.BYTES_MAX]);
            int length = kind == Questions.Kind.LOOKUP
                    ? questions.lookup(segment, 0, 0, 0)
                    : questions.change(kind, segment, 0, 0, 0, 4000);
            questions.name(segment, 0, each);
            datagrams.add(segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        }
        return new Attack(from, List.of(to), datagrams, perSecond);
    }
}
