package io.guidepost.gnrs.quorum;

import static io.guidepost.gnrs.relay.WriteStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.relay.RelayBound;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.relay.WriteStand.Node;
import io.guidepost.gnrs.relay.WriteStand.Told;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Writes that meet servers which know something later, or which cannot be asked. */
class QuorumRoundsTest {
    private static final int LONG_MILLIS = 3000;

    private final WriteStand stand = new WriteStand(4);
    private final Node node = stand.node(0);
    private final Guid guid = stand.guidAt(0, 1, 2, 3);

    /** Has a server know a binding with a stamp of a time, in milliseconds from now. */
    private void knows(Node whom, long millis) {
        knows(whom, millis, to(9));
    }

    private void knows(Node whom, long millis, Binding... bindings) {
        byte[] key = Name.of(guid).key();
        byte[] image = RecordImage.write(key, 0, List.of(bindings), List.of());
        byte[] change = RecordMerge.change(image, HybridClock.of(WriteStand.START_MILLIS + millis), false);
        whom.store.submit(
                key,
                (_, current, version, nowMillis) -> RecordMerge.merge(current, change, version, nowMillis, 1000),
                (_, _) -> {});
    }

    private boolean isSlow(WriteStand.Datagram datagram, Node... slow) {
        return List.of(slow).stream().anyMatch(each -> datagram.to().equals(each.address) || datagram.from().equals(each.address));
    }

    private List<byte[]> merges(Node whom) {
        return stand.sentTo(whom.address).stream().filter(each -> each[PeerWire.TYPE] == PeerWire.MERGE).toList();
    }

    @Test
    void aServerThatIsBehindFirstGetsItWhenTheOthersHoldIt() {
        knows(stand.node(1), 3_600_000);
        stand.ticks = each -> isSlow(each, stand.node(2), stand.node(3)) ? 30 : 1;
        Told told = stand.write(node, guid, true, to(1));
        stand.run(200);
        assertThat(told.done()).isTrue();
        assertThat(node.count(PeerCount.RESTAMPED_WRITES)).isZero();
        assertThat(stand.node(1).places(guid)).containsExactlyInAnyOrder(place(1), place(9));
        assertThat(merges(stand.node(1))).hasSize(2);
        assertThat(merges(stand.node(2))).hasSize(1);
    }

    @Test
    void aServerThatIsBehindLastGetsItToo() {
        knows(stand.node(1), 3_600_000);
        stand.ticks = each -> isSlow(each, stand.node(1)) ? 30 : 1;
        Told told = stand.write(node, guid, true, to(1));
        stand.run(200);
        assertThat(told.done()).isTrue();
        assertThat(stand.node(1).places(guid)).containsExactlyInAnyOrder(place(1), place(9));
        assertThat(node.deployment.hints().bytes()).isZero();
    }

    @Test
    void aServerThatIsFullGetsItFromThoseThatHoldIt() {
        Binding[] hundred = IntStream.range(100, 200).mapToObj(WriteStand::to).toArray(Binding[]::new);
        knows(stand.node(1), 0, hundred);
        stand.ticks = each -> isSlow(each, stand.node(1)) ? 30 : 1;
        Told told = stand.write(node, guid, true, to(1));
        stand.run(200);
        assertThat(told.done()).isTrue();
        assertThat(stand.node(1).places(guid)).hasSize(101);
        assertThat(merges(stand.node(1))).hasSize(2);
    }

    @Test
    void aServerThatRefusesGetsAHint() {
        stand.node(1).store.diskFull = true;
        stand.node(2).skewMillis = -TimeUnit.HOURS.toMillis(25);
        for (int late = 1; late <= 2; late++) {
            Node refuses = stand.node(late);
            stand.ticks = each -> isSlow(each, refuses) ? 30 : 1;
            Guid other = late == 1 ? stand.guidAt(0, 0, 1, 3) : stand.guidAt(0, 0, 2, 3);
            Told told = stand.write(node, other, true, to(1));
            stand.run(200);
            assertThat(told.done()).isTrue();
            assertThat(merges(refuses)).hasSize(1);
            assertThat(node.deployment.hints().count(node.peer(refuses))).isEqualTo(1);
        }
    }

    @Test
    void aKnownServerIsAskedAgainSoonAndThenHasAllTime() {
        for (int ticks : new int[] {1, 20}) {
            WriteStand known = new WriteStand(4);
            Guid name = known.guidAt(0, 1, 2, 3);
            known.ticks = _ -> ticks;
            known.write(known.node(0), name, true, to(1));
            known.run(100);
            Peer peer = known.node(0).peer(known.node(3));
            int soon = (int) Math.max(50, 4 * peer.slowNanos() / 1_000_000);
            known.lost = known.cut(known.node(3));
            known.write(known.node(0), name, true, to(2));
            known.run(soon - 1);
            assertThat(known.node(0).count(PeerCount.RETRANSMISSIONS)).isZero();
            known.run(2);
            assertThat(known.node(0).count(PeerCount.RETRANSMISSIONS)).as("after %d ms", soon).isEqualTo(1);
            known.run(490);
            assertThat(known.node(0).deployment.hints().count(peer)).isZero();
            known.run(20);
            assertThat(known.node(0).deployment.hints().count(peer)).isEqualTo(1);
        }
    }

    @Test
    void theRequestsOfTheRoundBeforeAreClosed() {
        knows(stand.node(1), 1000);
        knows(stand.node(2), 1000);
        stand.ticks = each -> isSlow(each, stand.node(3)) ? 30 : 1;
        Told told = stand.write(node, guid, true, to(1));
        for (int i = 0; i < 20 && node.count(PeerCount.RESTAMPED_WRITES) == 0; i++) {
            stand.run(1);
        }
        assertThat(node.relay.held(RelayBound.REQUESTS)).isEqualTo(3);
        stand.run(10);
        assertThat(told.done()).isTrue();
    }

    @Test
    void aWriteThatIsAlwaysBehindFails() {
        int[] later = {0};
        stand.lost = each -> {
            if (each.from().equals(node.address)) {
                stand.nodes.subList(1, 4).forEach(other -> knows(other, 1000L * ++later[0]));
            }
            return false;
        };
        Told told = stand.write(node, guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(told.held).isZero();
        assertThat(node.count(PeerCount.RESTAMPED_WRITES)).isEqualTo(QuorumLimits.ROUNDS_MAX - 1);
        assertThat(merges(stand.node(1))).hasSize(QuorumLimits.ROUNDS_MAX);
    }

    /** The answers come in the fourth millisecond. */
    @Test
    void aStampTooFarAheadIsNotOvertaken() {
        long day = TimeUnit.DAYS.toMillis(1);
        for (int late = 0; late < 2; late++) {
            WriteStand.Node asking = stand.node(0);
            long ahead = day + 4 + late * 901L;
            stand.nodes.subList(1, 4).forEach(each -> knows(each, ahead));
            Told told = stand.write(asking, guid, true, to(1));
            stand.run(900);
            assertThat(told.done()).isEqualTo(late == 0);
            assertThat(asking.count(PeerCount.RESTAMPED_WRITES)).isEqualTo(1);
            assertThat(asking.deployment.clock().last() >= HybridClock.of(WriteStand.START_MILLIS + ahead)).isEqualTo(late == 0);
        }
    }

    @Test
    void aStoreThatTakesNothingFailsAtOnce() {
        stand.node(1).store.queueMax = 0;
        Told told = stand.write(stand.node(1), WriteStand.client(1), 1, guid, true, false, to(1));
        stand.run(2);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_STORE_FAILED);
        assertThat(told.held).isZero();
        assertThat(told.needed).isEqualTo(1);
        stand.node(1).store.queueMax = 1;
        Told again = stand.write(stand.node(1), WriteStand.client(1), 2, guid, true, false, to(1));
        stand.run(3);
        assertThat(again.done()).isTrue();
        stand.write(stand.node(1), WriteStand.client(1), 3, guid, true, false, to(2));
        stand.run(3);
        assertThat(stand.node(1).places(guid)).containsExactlyInAnyOrder(place(1), place(2));
    }

    @Test
    void noWriteBeginsThatMightNotAskAllItsServers() {
        WriteStand small = new WriteStand(4, ChangedSettings.of("relaysMax", 64));
        small.lost = _ -> true;
        int room = 2 * 64;
        int taken = 0;
        for (int from = 0; taken < 100; from += 1000) {
            if (small.write(small.node(0), small.guidAt(from, 1, 2, 3), true, to(1)).refused) {
                break;
            }
            taken++;
        }
        // Each asks three.
        assertThat(taken).isEqualTo((room - QuorumLimits.SERVERS_MAX) / 3 + 1);
        small.run(LONG_MILLIS);
        assertThat(small.write(small.node(0), small.guidAt(0, 1, 2, 3), true, to(1)).refused).isFalse();
    }

    @Test
    void theServersBeforeAreThoseOfTheLastTables() {
        List<InetSocketAddress> three = stand.servers.subList(1, 4);
        Placement four = node.placement.get();
        Placement before = WriteStand.placement(three, node.address);
        node.placement.publish(before);
        node.placement.settle(before);
        node.placement.publish(WriteStand.placement(stand.servers, node.address));
        for (int i = 0; i < 200; i++) {
            Guid each = new Guid(i, 0, 0);
            stand.write(node, each, true, to(1));
            stand.run(10);
            for (Node other : stand.nodes) {
                boolean keeps = four.servers(each).contains(other.address) || before.servers(each).contains(other.address);
                assertThat(other.places(each)).as("%s at %s", each, other.address).hasSize(keeps ? 1 : 0);
            }
        }
    }

    @Test
    void aFailureNamesItsReason() {
        Guid own = stand.guidAt(0, 0, 1, 2);
        node.store.diskFull = true;
        Told here = stand.write(node, WriteStand.client(1), 1, own, true, false, to(1));
        stand.run(5);
        assertThat(here.result).isEqualTo(GnrsCount.WRITES_STORE_FAILED);
        WriteStand narrow = new WriteStand(4);
        Guid name = narrow.guidAt(0, 1, 2, 3);
        narrow.lost = narrow.cut(narrow.node(2), narrow.node(3));
        Told one = narrow.write(narrow.node(0), name, true, to(1));
        narrow.run(LONG_MILLIS);
        assertThat(one.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(one.held).isEqualTo(1);
    }
}
