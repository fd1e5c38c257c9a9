package io.guidepost.gnrs.antientropy;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.SyncState;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies that differ are brought into line, whatever was lost, and no deleted binding comes back. */
final class AntiEntropyTest {
    private static final ReplicationSettings SETTINGS =
            ChangedSettings.of("pingMillis", 500, "compareMillis", 5000, "timeoutMillis", 100);

    private static Guid guid(int number) {
        return new Guid(number * 0x9e3779b97f4a7c15L, number, number);
    }

    private static void settle(AntiEntropyStand stand) {
        stand.until(20_000, () -> stand.nodes.stream().noneMatch(each -> each.deployment().catchingUp()));
    }

    @Test
    void serversThatStartEmptyAreSoonCaughtUp() {
        AntiEntropyStand stand = new AntiEntropyStand(5, SETTINGS);
        assertThat(stand.nodes).allMatch(each -> each.deployment().catchingUp());
        stand.until(300, () -> stand.nodes.stream().noneMatch(each -> each.deployment().catchingUp()));
    }

    @Test
    void serversThatShareRecordsAreGreetedBeforeAllOthers() {
        AntiEntropyStand stand = new AntiEntropyStand(5, 600, SETTINGS);
        for (int i = 0; i < 500; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        stand.run(1000);
        AntiEntropyStand.Node away = stand.nodes.get(3);
        List<Guid> missed = new ArrayList<>();
        for (int i = 500; i < 600; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.stream().filter(each -> each != away && holds(stand, each, number)).forEach(each -> each.write(change));
            if (holds(stand, away, number)) {
                missed.add(guid(i));
            }
        }
        away.kill();
        stand.run(500);
        away.start();
        stand.tick();
        assertThat(missed).isNotEmpty().allMatch(each -> mayLag(away, each));
        stand.until(2500, () -> !away.deployment().catchingUp());
        assertThat(away.deployment().lagging()).as("600 have not been greeted, at 200 a second").isTrue();
        assertThat(missed).allMatch(each -> !away.places(each).isEmpty()).noneMatch(each -> mayLag(away, each));
        stand.until(20_000, () -> !away.deployment().lagging());
    }

    /** Some writes are on their way at any time, so that no comparison finds all ranges of a half alike. */
    @Test
    void aServerComesIntoLineUnderALoadOfWrites() {
        AntiEntropyStand stand = new AntiEntropyStand(3, SETTINGS);
        settle(stand);
        AntiEntropyStand.Node away = stand.nodes.get(2);
        away.kill();
        stand.run(500);
        away.start();
        Deque<byte[]> onTheirWay = new ArrayDeque<>();
        int[] number = new int[1];
        stand.until(10_000, () -> {
            for (int i = 0; i < 8; i++) {
                int next = number[0]++ % 2000;
                byte[] change = stand.change(guid(next), stand.millis(), false, WriteStand.to(i));
                stand.nodes.stream()
                        .filter(each -> each != away && holds(stand, each, next))
                        .forEach(each -> each.write(change));
                if (holds(stand, away, next)) {
                    onTheirWay.add(change);
                }
            }
            while (onTheirWay.size() > 60) {
                away.write(onTheirWay.remove());
            }
            return !away.deployment().lagging();
        });
        assertThat(stand.alike()).as("writes were on their way all the time").isFalse();
    }

    private static boolean mayLag(AntiEntropyStand.Node node, Guid guid) {
        node.relay().begin(node.nowMillis());
        return node.relay().ownMayLag(MemorySegment.ofArray(guid.toBytes()), 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void whatOneMissedArrives(int count) {
        AntiEntropyStand stand = new AntiEntropyStand(count, SETTINGS);
        settle(stand);
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < 3000; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), random.nextBoolean(), WriteStand.to(i & 127));
            stand.nodes.stream()
                    .filter(each -> holds(stand, each, number))
                    .filter(each -> random.nextInt(3) > 0)
                    .forEach(each -> each.write(change));
        }
        assertThat(stand.alike()).isFalse();
        stand.untilAlike(30_000);
        stand.until(20_000, () -> stand.nodes.stream().allMatch(each -> each.catchUp().progress().servers().stream()
                .allMatch(server -> server.rangesDiffering() == 0)));
    }

    private static boolean holds(AntiEntropyStand stand, AntiEntropyStand.Node node, int number) {
        return node.placement().get().servers(guid(number)).contains(stand.servers.get(node.number));
    }

    @Test
    void deletesWinWhoeverHeardOfThem() {
        AntiEntropyStand stand = new AntiEntropyStand(5, SETTINGS);
        settle(stand);
        Map<Integer, Boolean> deleted = new HashMap<>();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 500; i++) {
            int number = i;
            List<AntiEntropyStand.Node> holders = new ArrayList<>(
                    stand.nodes.stream().filter(each -> holds(stand, each, number)).toList());
            byte[] insert = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            holders.forEach(each -> each.write(insert));
            if (random.nextBoolean()) {
                deleted.put(i, true);
                byte[] delete = stand.change(guid(i), stand.millis() + 1, true);
                holders.get(random.nextInt(holders.size())).write(delete);
            }
        }
        stand.untilAlike(30_000);
        for (int i = 0; i < 500; i++) {
            for (AntiEntropyStand.Node each : stand.nodes) {
                if (holds(stand, each, i)) {
                    assertThat(each.places(guid(i)).isEmpty()).isEqualTo(deleted.containsKey(i));
                }
            }
        }
    }

    @Test
    void aServerThatWasCutOffIsHealedWithoutHints() {
        AntiEntropyStand stand = new AntiEntropyStand(5, SETTINGS);
        settle(stand);
        stand.cut = (from, to) -> from == 2 || to == 2;
        for (int i = 0; i < 1000; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), true, WriteStand.to(i & 127));
            stand.nodes.stream()
                    .filter(each -> each.number != 2 && holds(stand, each, number))
                    .forEach(each -> each.write(change));
        }
        stand.run(6000);
        assertThat(stand.nodes.get(2).digests()).isEmpty();
        stand.cut = (from, to) -> false;
        stand.untilAlike(30_000);
        settle(stand);
    }

    /** A server that reads all records at once is taken for one that is down meanwhile, and its comparisons time out. */
    @Test
    void responsesAreTakenBetweenTwoPiecesOfAScan() {
        int pieces = 5;
        AntiEntropyStand stand = new AntiEntropyStand(2, SETTINGS);
        AntiEntropyStand.Node one = stand.nodes.get(0);
        for (int i = 0; i < pieces * SyncLimits.PIECE_RECORDS; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), true, WriteStand.to(i & 127));
            int number = i;
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        settle(stand);
        // Some are of one group, and are not located by syndromes.
        List<Guid> changed = IntStream.range(0, 40)
                .filter(i -> stand.nodes.stream().allMatch(each -> holds(stand, each, i)))
                .mapToObj(AntiEntropyTest::guid)
                .toList();
        changed.forEach(each -> one.write(stand.change(each, stand.millis() + 1, true, WriteStand.to(130))));
        long most = 0;
        long before = one.store.visited;
        AntiEntropyStand.Node other = stand.nodes.get(1);
        while (!changed.stream().allMatch(each -> other.places(each).equals(one.places(each)))) {
            long last = one.store.visited;
            stand.tick();
            most = Math.max(most, one.store.visited - last);
            assertThat(stand.nanos).isLessThan(60_000_000_000L);
        }
        assertThat(one.store.visited - before).isGreaterThan((pieces - 1L) * SyncLimits.PIECE_RECORDS);
        assertThat(most).as("one before a response is taken, one behind").isLessThanOrEqualTo(2 * SyncLimits.PIECE_RECORDS);
    }

    @Test
    void aServerThatWasDownGetsTheHintsThatWereKeptForIt() {
        AntiEntropyStand stand = new AntiEntropyStand(2, ChangedSettings.from(SETTINGS, "compareMillis", 3_600_000));
        settle(stand);
        AntiEntropyStand.Node keeper = stand.nodes.get(0);
        AntiEntropyStand.Node away = stand.nodes.get(1);
        for (int i = 0; i < 200; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), true, WriteStand.to(i & 127));
            keeper.write(change);
            if (i % 2 == 0) {
                away.write(change);
            }
        }
        stand.untilAlike(20_000);
        away.kill();
        stand.run(3000);
        Peer peer = keeper.deployment().peers().of(stand.servers.get(1));
        assertThat(peer.health()).isEqualTo(Peer.Health.DOWN);
        for (int i = 200; i < 300; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), true, WriteStand.to(i & 127));
            keeper.write(change);
            keeper.deployment().hints().add(peer, change);
        }
        assertThat(keeper.catchUp().progress().servers().getFirst().health()).isEqualTo(Peer.Health.DOWN);
        away.start();
        stand.untilAlike(3000);
        stand.until(3000, () -> keeper.deployment().hints().count(peer) == 0);
        assertThat(keeper.catchUp().counts().get(PeerCount.HINTS_REPLAYED)).isEqualTo(100);
    }

    /** An interval, and a quarter, a half and the whole of a timeout; some milliseconds are the ticks of the stand. */
    @Test
    void aServerThatIsGoneIsDownWithinAnIntervalAndTwoTimeoutsThoughNobodyAsks() {
        AntiEntropyStand stand = new AntiEntropyStand(3, SETTINGS);
        settle(stand);
        stand.run(777);
        AntiEntropyStand.Node looking = stand.nodes.get(0);
        stand.nodes.get(1).kill();
        Peer gone = looking.deployment().peers().of(stand.servers.get(1));
        Peer there = looking.deployment().peers().of(stand.servers.get(2));
        assertThat(gone.health()).isEqualTo(Peer.Health.UP);
        stand.until(SETTINGS.pingMillis() + 2 * SETTINGS.timeoutMillis(), () -> gone.health() == Peer.Health.DOWN);
        assertThat(there.health()).isEqualTo(Peer.Health.UP);
        stand.nodes.get(1).start();
        stand.until(SETTINGS.pingMillis() + 2 * SETTINGS.timeoutMillis(), () -> gone.health() == Peer.Health.UP);
    }

    /** Much slower than before, but within the timeout: a busy server is not taken for one that is gone. */
    @Test
    void aServerThatAnswersLateIsNotDown() {
        AntiEntropyStand stand = new AntiEntropyStand(2, SETTINGS);
        settle(stand);
        Peer peer = stand.nodes.get(0).deployment().peers().of(stand.servers.get(1));
        stand.lateTicks = SETTINGS.timeoutMillis() / 3;
        for (int i = 0; i < 20; i++) {
            stand.run(SETTINGS.pingMillis() / 2);
            assertThat(peer.health()).isEqualTo(Peer.Health.UP);
        }
    }

    @Test
    void aServerWhoseDiskWasLostGetsEverythingBack() {
        AntiEntropyStand stand = new AntiEntropyStand(5, SETTINGS);
        settle(stand);
        for (int i = 0; i < 2000; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        AntiEntropyStand.Node lost = stand.nodes.get(3);
        lost.kill();
        lost.digests().keySet().forEach(each -> lost.store.delete(io.guidepost.names.Name.of(each)));
        assertThat(lost.digests()).isEmpty();
        stand.run(500);
        lost.start();
        stand.tick();
        assertThat(lost.deployment().catchingUp()).isTrue();
        stand.until(30_000, () -> !lost.deployment().catchingUp());
        assertThat(stand.alike()).as("it says that it has caught up when it has").isTrue();
    }

    @Test
    void afterATableChangeEveryRecordIsWhereItIsPlacedAndNowhereElse() {
        AntiEntropyStand stand = new AntiEntropyStand(6, SETTINGS);
        List<java.net.InetSocketAddress> five = stand.servers.subList(0, 5);
        stand.nodes.forEach(each -> each.reload(five));
        settle(stand);
        Set<Guid> all = new LinkedHashSet<>();
        for (int i = 0; i < 2000; i++) {
            int number = i;
            all.add(guid(i));
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        settle(stand);
        assertThat(stand.alike()).isTrue();
        List<java.net.InetSocketAddress> without = new ArrayList<>(stand.servers);
        without.remove(1);
        stand.nodes.forEach(each -> each.reload(without));
        stand.tick();
        assertThat(stand.nodes).allMatch(each -> each.placement().previous() != each.placement().get());
        stand.until(
                60_000, () -> stand.nodes.stream().allMatch(each -> each.placement().previous() == each.placement().get()));
        stand.untilAlike(30_000);
        assertThat(stand.nodes.get(1).digests()).isEmpty();
        for (Guid each : all) {
            assertThat(stand.nodes.stream().filter(node -> node.digests().containsKey(each)).count())
                    .isEqualTo(stand.nodes.getFirst().placement().get().servers(each).size());
        }
        settle(stand);
    }

    @Test
    void whenAllAgreeOnlySumsAndGreetingsAreSent() {
        AntiEntropyStand stand = new AntiEntropyStand(5, SETTINGS);
        for (int i = 0; i < 500; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        settle(stand);
        stand.run(3000);
        stand.sent.clear();
        stand.run(20_000);
        Map<Integer, Integer> types = new HashMap<>();
        stand.sent.forEach(each -> types.merge(each.type(), 1, Integer::sum));
        assertThat(types).containsOnlyKeys(
                PeerWire.PING,
                PeerWire.PING | PeerWire.RESPONSE_BIT,
                PeerWire.DIGESTS,
                PeerWire.DIGESTS | PeerWire.RESPONSE_BIT);
        // Twenty ordered pairs, about four comparisons of two messages each.
        assertThat(types.get(PeerWire.DIGESTS)).isLessThan(20 * 6 * 2);
        assertThat(types.get(PeerWire.PING)).isLessThan(20 * 41);
    }

    /** The peer may have received the record since it sent its digests; its own comparison with the response finds nothing then. */
    @Test
    void whatAPeersRequestMadeSuspectIsComparedAgainSoon() {
        AntiEntropyStand stand = new AntiEntropyStand(2, ChangedSettings.from(SETTINGS, "compareMillis", 86_400_000));
        settle(stand);
        AntiEntropyStand.Datagram old = stand.sent.stream()
                .filter(each -> each.type() == PeerWire.DIGESTS && each.toNode() == 0)
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < 100; i++) {
            int number = i;
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i));
            stand.nodes.stream().filter(each -> holds(stand, each, number)).forEach(each -> each.write(change));
        }
        Deployment one = stand.nodes.getFirst().deployment();
        SyncState other = one.syncStates().of(one.peers().of(stand.servers.get(1)));
        stand.run(1_000);
        stand.deliver(old);
        stand.run(2);
        assertThat(other.suspects()).isTrue();
        stand.run(3_000);
        assertThat(other.suspects()).isFalse();
    }

    @Test
    void bytesPerSecondAreBounded() {
        int perSecond = 20_000;
        AntiEntropyStand stand = new AntiEntropyStand(2, ChangedSettings.from(SETTINGS, "catchUpBytesPerSecond", perSecond));
        settle(stand);
        for (int i = 0; i < 2000; i++) {
            stand.nodes.getFirst().write(stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127)));
        }
        stand.sent.clear();
        long start = stand.nanos;
        stand.untilAlike(120_000);
        double seconds = (stand.nanos - start) / 1e9;
        long bytes = stand.sent.stream()
                .filter(each -> each.fromNode() == 0 && each.from().getPort() != 5001)
                .mapToLong(each -> each.bytes().length)
                .sum();
        assertThat(bytes).isLessThan((long) (perSecond * (seconds + 0.2)) + 4096);
        assertThat(bytes).isGreaterThan(2000 * 100);
    }

    @Test
    void aServerThatWasAwayForTooLongBringsNothingBack() {
        ReplicationSettings forgetful = ChangedSettings.from(SETTINGS, "tombstoneMillis", 60_000L);
        AntiEntropyStand stand = new AntiEntropyStand(3, forgetful);
        settle(stand);
        for (int i = 0; i < 300; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.forEach(each -> each.write(change));
        }
        stand.untilAlike(10_000);
        AntiEntropyStand.Node away = stand.nodes.get(2);
        away.kill();
        List<AntiEntropyStand.Node> there = stand.nodes.subList(0, 2);
        for (int i = 0; i < 100; i++) {
            byte[] delete = stand.change(guid(i), stand.millis(), true);
            there.forEach(each -> each.write(delete));
            // Forgotten long before the third comes back.
            byte[] again = stand.change(guid(i + 100), stand.millis(), true, WriteStand.to(3));
            there.forEach(each -> each.write(again));
        }
        stand.run(200_000);
        for (int i = 0; i < 100; i++) {
            for (AntiEntropyStand.Node each : there) {
                each.store.expire();
            }
        }
        assertThat(there).allMatch(each -> !each.digests().containsKey(guid(5)));
        away.start();
        stand.tick();
        assertThat(away.catchUp().longDowntime()).isTrue();
        stand.until(30_000, () -> !away.deployment().catchingUp());
        assertThat(stand.alike()).isTrue();
        for (int i = 0; i < 300; i++) {
            if (i < 100 || !holds(stand, away, i)) {
                assertThat(away.digests()).doesNotContainKey(guid(i));
            } else {
                assertThat(away.places(guid(i))).containsExactly(WriteStand.place(i < 200 ? 3 : i & 127));
            }
        }
    }

    @Test
    void ifAllWereAwayForTooLongNothingIsDropped() {
        ReplicationSettings forgetful = ChangedSettings.from(SETTINGS, "tombstoneMillis", 60_000L);
        AntiEntropyStand stand = new AntiEntropyStand(3, forgetful);
        settle(stand);
        for (int i = 0; i < 300; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.get(i % 3).write(change);
        }
        stand.nodes.forEach(AntiEntropyStand.Node::kill);
        stand.run(200_000);
        stand.nodes.forEach(AntiEntropyStand.Node::start);
        stand.untilAlike(30_000);
        Set<Guid> all = new LinkedHashSet<>();
        stand.nodes.forEach(each -> all.addAll(each.digests().keySet()));
        assertThat(all).hasSize(300);
    }

    @Test
    void whateverArrivesNothingBreaks() {
        AntiEntropyStand stand = new AntiEntropyStand(3, SETTINGS);
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 300; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), random.nextBoolean(), WriteStand.to(i & 127));
            stand.nodes.get(i % 3).write(change);
        }
        settle(stand);
        stand.untilAlike(20_000);
        List<AntiEntropyStand.Datagram> honest = List.copyOf(stand.sent);
        for (int i = 0; i < 20_000; i++) {
            AntiEntropyStand.Datagram datagram = honest.get(random.nextInt(honest.size()));
            byte[] bytes = datagram.bytes().clone();
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, PeerWire.HEADER_BYTES + random.nextInt(bytes.length));
            }
            bytes[PeerWire.LENGTH] = (byte) (bytes.length >> 8);
            bytes[PeerWire.LENGTH + 1] = (byte) bytes.length;
            stand.deliver(new AntiEntropyStand.Datagram(datagram.from(), datagram.to(), bytes));
            if (i % 100 == 0) {
                stand.tick();
            }
        }
        stand.run(100);
        stand.untilAlike(30_000);
    }
}
