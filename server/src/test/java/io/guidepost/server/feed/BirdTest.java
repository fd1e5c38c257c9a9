package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import io.guidepost.proximity.bgp.RouteExit;
import io.guidepost.proximity.bgp.RouteExitRule;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real router daemon tells its table, takes a part of it back, and tells it again, while questions are asked. */
class BirdTest {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final Address ROUTER = Address.ofIpv4(0x0a010001);
    private static final int AS = 65_000;

    @TempDir
    private Path folder;

    private RouterMessages wire;

    @BeforeEach
    void layWire() throws IOException {
        BirdRouter.needed();
        wire = RouterMessages.open();
    }

    @AfterEach
    void takeWireAway() throws IOException {
        if (wire != null) {
            wire.close();
        }
    }

    private FeedSettings settings(Optional<Path> passwordFile) {
        BgpPeer bird = new BgpPeer(
                InetAddress.ofLiteral(wire.routers()), AS, new RouteExitRule.Fixed(new RouteExit(ROUTER, 0)), 0, 0,
                Optional.empty(), 0, passwordFile);
        return RunningFeeds.bgp(
                new InetSocketAddress(InetAddress.ofLiteral(wire.ours()), 0), AS, FeedSettings.GRACE, bird);
    }

    /** Returns whether an IPv4 address is of this network, loopback, link-local, or from 224.0.0.0 on. */
    private static boolean isMartian(int address) {
        int first = address >>> 24;
        return first == 0 || first == 127 || first >= 224 || address >>> 16 == 0xa9fe;
    }

    /** A table like the Internet's, and a tenth as much of IPv6; each prefix with a path that ends with its AS. */
    private static Map<Prefix, BirdRouter.Line> table(int count) throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        Map<Prefix, BirdRouter.Line> table = new LinkedHashMap<>();
        Prefixes four = PrefixTableGenerator.generate(6, count, PrefixTableGenerator.ASES);
        for (int i = 0; i < four.ipv4Size(); i++) {
            Prefix prefix = Prefix.ofIpv4(four.ipv4Base(i), four.ipv4Length(i));
            if (isMartian(four.ipv4Base(i))) {
                // BIRD knows that of some, and our import policy of all: they are in the tables of no operator.
                continue;
            }
            table.put(prefix, line(prefix, Integer.toUnsignedLong(four.ipv4Value(i)), random));
        }
        for (int i = 0; i < count / 10; i++) {
            Prefix prefix = new Prefix(0x2001L << 48 | random.nextLong(1L << 32) << 16, 0, random.nextInt(32, 49));
            table.put(prefix, line(prefix, random.nextInt(1, 1000), random));
        }
        return table;
    }

    private static BirdRouter.Line line(Prefix prefix, long as, SplittableRandom random) {
        long[] path = new long[random.nextInt(1, 6)];
        java.util.Arrays.setAll(path, i -> random.nextInt(70_000, 80_000));
        path[path.length - 1] = as;
        return new BirdRouter.Line(prefix.toString(), path);
    }

    private static void write(Path folder, Map<Prefix, BirdRouter.Line> table) throws Exception {
        List<BirdRouter.Line> four = new ArrayList<>();
        List<BirdRouter.Line> six = new ArrayList<>();
        table.forEach((prefix, line) -> (prefix.isIpv4() ? four : six).add(line));
        BirdRouter.write(folder, four, six);
    }

    private static Map<Prefix, List<PrefixAttachment>> expected(Map<Prefix, BirdRouter.Line> table) {
        Map<Prefix, List<PrefixAttachment>> expected = new LinkedHashMap<>();
        table.forEach((prefix, line) -> expected.put(
                prefix,
                List.of(PrefixAttachment.external(ROUTER, 0, line.path()[line.path().length - 1], line.path().length))));
        return expected;
    }

    private static Map<Prefix, List<PrefixAttachment>> told(LiveNetwork live) {
        Map<Prefix, List<PrefixAttachment>> told = new LinkedHashMap<>();
        live.change(network -> network.forEach(told::put));
        return told;
    }

    private static void awaitRoutes(FeedService feeds, BirdRouter bird, int count) {
        FeedCondition.so(WAIT, () -> "not " + count + " routes: " + feeds.status() + "\n" + bird.log(),
                () -> !bird.isAlive() || feeds.rib().routes() == count && feeds.rib().touched() == 0);
        assertThat(bird.isAlive()).as(bird.log()).isTrue();
    }

    /** Asks without end for addresses of prefixes that stay, until it is told to stop; counts answers, and those that fail. */
    private static final class Asking implements AutoCloseable {
        final AtomicLong answered = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;

        Asking(LiveNetwork live, List<Prefix> stays) {
            thread = Thread.ofPlatform().start(() -> {
                SplittableRandom random = new SplittableRandom(1);
                while (!over.get()) {
                    Ranking ranking = live.current();
                    Prefix prefix = stays.get(random.nextInt(stays.size()));
                    int place = ranking.place(prefix.high(), prefix.low());
                    boolean known = place != Ranking.NOWHERE
                            && ranking.ranks(ranking.source(place))[place] != Ranking.UNRANKED;
                    (known ? answered : failed).incrementAndGet();
                }
            });
        }

        @Override
        public void close() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tellsTakesBackAndTellsAgain(int count, int taken, boolean report) throws Exception {
        Map<Prefix, BirdRouter.Line> all = table(count);
        Map<Prefix, BirdRouter.Line> fewer = new LinkedHashMap<>(all);
        List<Prefix> gone = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(2);
        List<Prefix> prefixes = new ArrayList<>(all.keySet());
        while (gone.size() < taken) {
            Prefix each = prefixes.get(random.nextInt(prefixes.size()));
            if (fewer.remove(each) != null) {
                gone.add(each);
            }
        }
        write(folder, all);
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(settings(Optional.empty()), live)) {
            long begun = System.nanoTime();
            try (BirdRouter bird = BirdRouter.start(folder, wire, feeds.bgpAddress().orElseThrow().getPort(), "")) {
                FeedCondition.so(WAIT, () -> "no session: " + feeds.status() + bird.log(), () -> feeds.feeds().get(0).up());
                long up = System.nanoTime();
                awaitRoutes(feeds, bird, all.size());
                long loaded = System.nanoTime();
                Ranking full = live.settle();
                long settled = System.nanoTime();
                assertThat(told(live)).isEqualTo(expected(all));
                if (report) {
                    System.out.printf("full table of %d prefixes: start and session %d ms, told %d ms, published %d ms later%n",
                            all.size(), millis(begun, up), millis(up, loaded), millis(loaded, settled));
                }
                try (Asking asking = new Asking(live, List.copyOf(fewer.keySet()))) {
                    for (int round = 0; round < 2; round++) {
                        write(folder, fewer);
                        long withdrawn = System.nanoTime();
                        bird.reconfigure();
                        awaitRoutes(feeds, bird, fewer.size());
                        live.settle();
                        if (report) {
                            System.out.printf("%d withdrawn and published %d ms after the command; %d answers, %d failed%n",
                                    taken, millis(withdrawn, System.nanoTime()), asking.answered.get(), asking.failed.get());
                        }
                        assertThat(told(live)).isEqualTo(expected(fewer));
                        write(folder, all);
                        bird.reconfigure();
                        awaitRoutes(feeds, bird, all.size());
                    }
                    Ranking last = live.settle();
                    assertThat(asking.answered.get()).isPositive();
                    assertThat(asking.failed.get()).as("questions without an answer").isZero();
                    assertThat(told(live)).isEqualTo(expected(all));
                    sameAsAFreshOne(last, all);
                    sameAnswers(full, last, prefixes);
                }
                if (report) {
                    System.out.printf("routes take %d MiB, look-ups touch %d MiB%n",
                            feeds.rib().bytes() >> 20, full.bytes() >> 20);
                }
            }
        }
    }

    /** A network made from scratch of what was told answers all questions alike. */
    private static void sameAsAFreshOne(Ranking last, Map<Prefix, BirdRouter.Line> all) {
        OperatorNetwork fresh = new OperatorNetwork();
        fresh.topology(last.topology());
        expected(all).forEach((prefix, where) -> where.forEach(each -> fresh.add(prefix, each)));
        sameAnswers(
                Ranking.of(fresh, io.guidepost.proximity.ranking.RankingFunction.STANDARD, 1), last,
                List.copyOf(all.keySet()));
    }

    private static void sameAnswers(Ranking left, Ranking right, List<Prefix> prefixes) {
        SplittableRandom random = new SplittableRandom(9);
        int source = left.source(left.place(prefixes.get(0).high(), prefixes.get(0).low()));
        for (int i = 0; i < 200_000; i++) {
            Prefix prefix = prefixes.get(random.nextInt(prefixes.size()));
            long low = prefix.isIpv4()
                    ? Addresses.ipv4Low((int) prefix.low() + random.nextInt(256))
                    : prefix.low() | random.nextLong();
            int leftPlace = left.place(prefix.high(), low);
            int rightPlace = right.place(prefix.high(), low);
            assertThat(right.ranks(source)[rightPlace]).as("%s", prefix).isEqualTo(left.ranks(source)[leftPlace]);
            assertThat(right.metrics(source, rightPlace)).isEqualTo(left.metrics(source, leftPlace));
        }
    }

    private static long millis(long from, long to) {
        return (to - from) / 1_000_000;
    }

    @Test
    void aTableIsToldTakenBackAndToldAgain() throws Exception {
        tellsTakesBackAndTellsAgain(20_000, 2_000, false);
    }

    /** With numbers, of a table like the Internet's of 2012. */
    @Test
    @Tag("long")
    void aFullTableIsToldTakenBackAndToldAgain() throws Exception {
        tellsTakesBackAndTellsAgain(PrefixTableGenerator.PREFIXES, 10_000, true);
    }

    @Test
    void aRouterThatStartsAgainChangesNothing() throws Exception {
        Map<Prefix, BirdRouter.Line> all = table(500);
        write(folder, all);
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(settings(Optional.empty()), live)) {
            int port = feeds.bgpAddress().orElseThrow().getPort();
            try (BirdRouter bird = BirdRouter.start(folder, wire, port, "")) {
                awaitRoutes(feeds, bird, all.size());
                long version = live.settle().version();
                assertThat(bird.control("restart guidepost")).contains("restarted");
                FeedCondition.so(WAIT, () -> "not again: " + feeds.status() + bird.log(),
                        () -> feeds.feeds().get(0).sessions() == 2 && feeds.feeds().get(0).state().equals("whole"));
                awaitRoutes(feeds, bird, all.size());
                assertThat(live.settle().topology()).isEqualTo(live.current().topology());
                assertThat(told(live)).isEqualTo(expected(all));
                assertThat(version).isPositive();
            }
            // BIRD says that it shuts down: then its routes go at once.
            FeedCondition.so(WAIT, () -> "not gone: " + feeds.status(), () -> feeds.rib().routes() == 0);
            live.settle();
        }
    }

    /** The session is signed by the kernels of both sides; with another password there is none. */
    @Test
    void aSessionWithAPasswordStandsWhereBothHaveTheSame() throws Exception {
        Map<Prefix, BirdRouter.Line> all = table(100);
        write(folder, all);
        Path passwordFile = Files.writeString(folder.resolve("password"), "quite secret\nnot this line\n");
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = opened(passwordFile, live)) {
            int port = feeds.bgpAddress().orElseThrow().getPort();
            try (BirdRouter bird = BirdRouter.start(folder, wire, port, "another")) {
                // A connection of which no segment is answered is told by nobody: BIRD tries it, and that is all.
                FeedCondition.so(WAIT, bird::log, () -> bird.log().contains("Connecting to"));
                assertThat(feeds.feeds().get(0).up()).isFalse();
            }
            assertThat(feeds.feeds().get(0).sessions()).isZero();
            try (BirdRouter bird = BirdRouter.start(folder, wire, port, "quite secret")) {
                awaitRoutes(feeds, bird, all.size());
            }
        }
    }

    private FeedService opened(Path passwordFile, LiveNetwork live) throws IOException {
        try {
            return RunningFeeds.open(settings(Optional.of(passwordFile)), live);
        } catch (IOException e) {
            assumeFalse(String.valueOf(e.getMessage()).contains("does not sign"), e.getMessage());
            throw e;
        }
    }
}
