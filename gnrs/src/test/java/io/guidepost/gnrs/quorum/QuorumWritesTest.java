package io.guidepost.gnrs.quorum;

import static io.guidepost.gnrs.relay.WriteStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.relay.RelayBound;
import io.guidepost.gnrs.relay.WriteStand.Told;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.replica.HintedHandoff;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes at all servers that keep a record, on a wire that loses what the test says. */
class QuorumWritesTest {
    private static final int LONG_MILLIS = 3000;

    @Test
    void isDoneWhenAMajorityHoldsItAndReachesAll() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        assertThat(told.held).isGreaterThanOrEqualTo(2);
        assertThat(told.needed).isEqualTo(2);
        assertThat(told.times).isEqualTo(1);
        assertThat(stand.node(0).image(guid)).isNull();
        for (int i = 1; i <= 3; i++) {
            assertThat(stand.node(i).places(guid)).containsExactly(place(1));
        }
        assertThat(stand.sent).hasSize(6);
    }

    @Test
    void theOwnCopyCountsWhenItIsDurable() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(0).stalled = true;
        stand.lost = stand.cut(stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(20);
        assertThat(told.times).isZero();
        stand.node(0).stalled = false;
        stand.run(2);
        assertThat(told.done()).isTrue();
        assertThat(told.held).isEqualTo(2);
    }

    @Test
    void aSilentReplicaIsAskedAgainAndGetsAHint() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        assertThat(hints(stand, 0, 2)).isZero();
        stand.run(LONG_MILLIS);
        assertThat(stand.sent.stream().filter(each -> each.to().equals(stand.node(2).address))).hasSize(2);
        assertThat(hints(stand, 0, 2)).isEqualTo(1);
        assertThat(hints(stand, 0, 1)).isZero();
        assertThat(told.times).isEqualTo(1);
        assertThat(stand.node(0).count(PeerCount.HINTS_STORED)).isEqualTo(1);
        assertThat(stand.node(0).count(PeerCount.RETRANSMISSIONS)).isEqualTo(1);
    }

    private static int hints(WriteStand stand, int at, int whom) {
        return stand.node(at).deployment.hints().count(stand.node(at).peer(stand.node(whom)));
    }

    @Test
    void failsWithTheCountWhenTheQuorumCannotBeHad() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(1), stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(told.held).isEqualTo(1);
        assertThat(told.needed).isEqualTo(2);
        assertThat(hints(stand, 0, 1)).isEqualTo(1);
        assertThat(hints(stand, 0, 2)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ReplicationSettings.Quorum.class)
    void asManyAsConfiguredMustHoldIt(ReplicationSettings.Quorum quorum) {
        WriteStand stand = new WriteStand(3, ChangedSettings.of("quorum", quorum));
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(2));
        Told two = stand.write(stand.node(0), guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(two.done()).isEqualTo(quorum != ReplicationSettings.Quorum.ALL);
        assertThat(two.needed).isEqualTo(quorum.of(3));
        stand.lost = stand.cut(stand.node(1), stand.node(2));
        Told one = stand.write(stand.node(0), guid, true, to(2));
        stand.run(LONG_MILLIS);
        assertThat(one.done()).isEqualTo(quorum == ReplicationSettings.Quorum.ONE);
    }

    @Test
    void aDiskThatRefusesIsOneServerNotHoldingIt() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(0).store.diskFull = true;
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        stand.node(1).store.diskFull = true;
        Told second = stand.write(stand.node(0), guid, true, to(2));
        stand.run(LONG_MILLIS);
        assertThat(second.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(second.held).isEqualTo(1);
        assertThat(hints(stand, 0, 1)).isEqualTo(1);
    }

    @Test
    void anUpdateByAClockAnHourBehindStillWins() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(1).skewMillis = -3_600_000;
        assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(1)))).isTrue();
        // The clock of node 1 has seen the stamp of the insert: start it anew, as after a restart.
        WriteStand.Node late = stand.node(1);
        stand.nodes.set(1, stand.new Node(late.address, ReplicationSettings.defaults(),
                GnrsDoorStand.open(), Set.of()));
        stand.node(1).skewMillis = -3_600_000;
        assertThat(wait(stand, stand.write(stand.node(1), guid, false, to(2)))).isTrue();
        assertThat(stand.node(1).count(PeerCount.RESTAMPED_WRITES)).isPositive();
        for (WriteStand.Node each : stand.nodes) {
            assertThat(each.places(guid)).containsExactly(place(2));
        }
    }

    /** It has ended by the clocks of a majority, which the UPDATE meets first, and not by that of the third. */
    @Test
    void anUpdateTakesAwayWhatHasEndedHereAndStandsThere() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        stand.nodes.forEach(each -> each.store.observer = each.deployment.observer());
        stand.node(1).skewMillis = 1_800_000;
        Binding ends = new Binding(place(1), 0, WriteStand.START_MILLIS + 2_400_000);
        assertThat(wait(stand, stand.write(stand.node(1), guid, true, ends))).isTrue();
        for (int ahead = 1; ahead <= 2; ahead++) {
            stand.node(ahead).skewMillis = 3_000_000;
            stand.node(ahead).store.expire();
            stand.run(1);
            assertThat(stand.node(ahead).image(guid)).isNull();
        }
        assertThat(stand.node(3).places(guid)).containsExactly(place(1));
        stand.ticks = each -> each.to().equals(stand.node(3).address) ? 30 : 1;
        assertThat(wait(stand, stand.write(stand.node(0), guid, false, to(2)))).isTrue();
        stand.run(200);
        assertThat(stand.node(0).count(PeerCount.RESTAMPED_WRITES)).isPositive();
        for (int i = 1; i <= 3; i++) {
            assertThat(stand.node(i).places(guid)).containsExactly(place(2));
        }
    }

    private static boolean wait(WriteStand stand, Told told) {
        for (int i = 0; i < LONG_MILLIS && told.times == 0; i++) {
            stand.run(1);
        }
        stand.run(10);
        return told.done();
    }

    @Test
    void writesOfOneNameKeepTheirOrderAndGoTogether() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        List<Told> told = new ArrayList<>();
        told.add(stand.write(stand.node(0), guid, true, to(1)));
        told.add(stand.write(stand.node(0), guid, true, to(2)));
        told.add(stand.write(stand.node(0), guid, false));
        told.add(stand.write(stand.node(0), guid, true, to(3)));
        for (int i = 0; i < 100; i++) {
            told.add(stand.write(stand.node(0), guid, true, to(4)));
        }
        stand.run(20);
        assertThat(told).allMatch(Told::done);
        for (int i = 1; i <= 3; i++) {
            assertThat(stand.node(i).places(guid)).containsExactlyInAnyOrder(place(3), place(4));
        }
        assertThat(stand.sent).as("two rounds at three servers, there and back").hasSize(12);
        assertThat(stand.node(0).count(PeerCount.COMBINED_WRITES)).isEqualTo(102);
    }

    @Test
    void insertDeleteInsertThroughOneServerEndsAsTheLast() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        for (int gap = 0; gap < 5; gap++) {
            stand.write(stand.node(0), guid, true, to(1));
            stand.run(gap);
            stand.write(stand.node(0), guid, false);
            stand.run(gap);
            Told last = stand.write(stand.node(0), guid, true, to(2));
            assertThat(wait(stand, last)).isTrue();
            for (WriteStand.Node each : stand.nodes) {
                assertThat(each.places(guid)).containsExactly(place(2));
            }
        }
    }

    @Test
    void whoeverWaitsTooLongInALineIsRefused() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = _ -> true;
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < PeerBounds.defaults().waitingPerNameMax() + 10; i++) {
            told.add(stand.write(stand.node(0), guid, true, to(1)));
        }
        assertThat(told.stream().filter(each -> each.refused)).hasSize(9);
        assertThat(stand.node(0).count(PeerCount.REFUSED_WRITES)).isEqualTo(9);
        Guid other = stand.guidAt(100_000, 0, 1, 2);
        assertThat(stand.write(stand.node(0), other, true, to(1)).refused).isFalse();
        stand.run(2 * LONG_MILLIS);
        assertThat(told.stream().filter(each -> each.times == 1)).hasSize(told.size() - 9);
    }

    @Test
    void aDatagramThatComesTwiceIsAnsweredTwiceAndDoesNotWriteAgain() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        InetSocketAddress client = WriteStand.client(7);
        Told first = stand.write(stand.node(0), client, 5, guid, true, true, to(1));
        Told joined = stand.write(stand.node(0), client, 5, guid, true, true, to(1));
        stand.run(10);
        assertThat(first.done()).isTrue();
        assertThat(joined.done()).isTrue();
        assertThat(joined.held).isEqualTo(first.held);
        assertThat(wait(stand, stand.write(stand.node(1), guid, false))).isTrue();
        int sent = stand.sent.size();
        Told late = stand.write(stand.node(0), client, 5, guid, true, true, to(1));
        stand.run(10);
        assertThat(late.done()).isTrue();
        assertThat(late.held).isEqualTo(first.held);
        assertThat(late.needed).isEqualTo(first.needed);
        assertThat(stand.sent).hasSize(sent);
        assertThat(stand.node(0).count(PeerCount.REPEATED_WRITES)).isEqualTo(2);
        for (WriteStand.Node each : stand.nodes) {
            assertThat(each.places(guid)).as("the delete stands").isEmpty();
        }
    }

    @Test
    void anotherMessageUnderTheSameIdIsAnotherWrite() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        InetSocketAddress client = WriteStand.client(7);
        stand.write(stand.node(0), client, 0, guid, true, true, to(1));
        stand.run(5);
        stand.write(stand.node(0), client, 0, guid, false, true);
        stand.run(5);
        stand.write(stand.node(0), client, 0, guid, true, true, to(1));
        stand.run(5);
        assertThat(stand.node(2).places(guid)).containsExactly(place(1));
        assertThat(stand.node(0).count(PeerCount.REPEATED_WRITES)).isZero();
    }

    @Test
    void aRepetitionIsTakenForNewWhenTheFirstFailedOrIsLongAgo() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        InetSocketAddress client = WriteStand.client(7);
        stand.lost = stand.cut(stand.node(1), stand.node(2));
        Told failed = stand.write(stand.node(0), client, 5, guid, true, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(failed.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        stand.lost = _ -> false;
        assertThat(wait(stand, stand.write(stand.node(0), client, 5, guid, true, true, to(1)))).isTrue();
        stand.run(6000);
        assertThat(wait(stand, stand.write(stand.node(0), guid, false))).isTrue();
        assertThat(wait(stand, stand.write(stand.node(0), client, 5, guid, true, true, to(1)))).isTrue();
        assertThat(stand.node(0).places(guid)).containsExactly(place(1));
        assertThat(stand.node(0).count(PeerCount.REPEATED_WRITES)).isZero();
    }

    @Test
    void notRecursiveMeansTheOwnCopyAlone() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        Told here = stand.write(stand.node(1), WriteStand.client(1), 1, guid, true, false, to(1));
        Told elsewhere = stand.write(stand.node(0), WriteStand.client(1), 1, guid, true, false, to(1));
        stand.run(5);
        assertThat(here.done()).isTrue();
        assertThat(here.needed).isEqualTo(1);
        assertThat(elsewhere.result).isEqualTo(GnrsCount.WRITES_ELSEWHERE);
        assertThat(stand.node(1).places(guid)).containsExactly(place(1));
        assertThat(stand.sent).isEmpty();
    }

    @Test
    void aServerThatIsDownIsSparedUntilItIsNeeded() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(2));
        for (int i = 0; i < 4; i++) {
            assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(i)))).isTrue();
            stand.run(LONG_MILLIS);
        }
        assertThat(stand.node(0).peer(stand.node(2)).health()).isEqualTo(Peer.Health.DOWN);
        int sent = stand.sent.size();
        assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(5)))).isTrue();
        assertThat(stand.sent).as("one question to the other server").hasSize(sent + 2);
        assertThat(hints(stand, 0, 2)).isEqualTo(1);
        HintedHandoff hinted = stand.node(0).deployment.hints();
        Peer down = stand.node(0).peer(stand.node(2));
        hinted.done(down, requireNonNull(hinted.first(down)));
        assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(7)))).isTrue();
        assertThat(stand.sent).as("without a hint it would miss what comes next").hasSize(sent + 5);
        stand.run(LONG_MILLIS);
        stand.lost = stand.cut(stand.node(1));
        assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(6)))).as("it is asked after all").isTrue();
        assertThat(stand.node(2).places(guid)).contains(place(6));
    }

    @Test
    void serversOfThePlacementBeforeHearOfItButDoNotCount() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        WriteStand.Node node = stand.node(0);
        List<InetSocketAddress> three = stand.servers.subList(1, 4);
        Placement before = node.placement.get();
        node.placement.publish(WriteStand.placement(three, node.address));
        assertThat(node.placement.previous()).isSameAs(before);
        int servers = node.placement.get().servers(guid).size();
        Told told = stand.write(node, guid, true, to(1));
        stand.run(20);
        assertThat(told.done()).isTrue();
        assertThat(told.needed).isEqualTo(servers / 2 + 1);
        assertThat(node.places(guid)).as("kept here before").containsExactly(place(1));
        node.placement.settle(node.placement.get());
        assertThat(wait(stand, stand.write(node, guid, true, to(2)))).isTrue();
        assertThat(node.places(guid)).as("settled").containsExactly(place(1));
    }

    @Test
    void serversOfThePlacementBeforeGetNoHints() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        WriteStand.Node node = stand.node(0);
        node.placement.publish(WriteStand.placement(stand.servers.subList(0, 3), node.address));
        stand.lost = stand.cut(stand.node(3));
        Told told = stand.write(node, guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(told.done()).isTrue();
        assertThat(stand.sentTo(stand.node(3).address)).hasSize(2);
        assertThat(hints(stand, 0, 3)).isZero();
    }

    @Test
    void theOwnDiskGetsNoHint() {
        WriteStand stand = new WriteStand(3);
        stand.node(0).store.diskFull = true;
        assertThat(wait(stand, stand.write(stand.node(0), stand.guidAt(0, 0, 1, 2), true, to(1)))).isTrue();
        stand.run(LONG_MILLIS);
        assertThat(stand.node(0).deployment.hints().bytes()).isZero();
    }

    @Test
    void tooManyBindingsAreRefusedByTheServersThatCount() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        for (int i = 0; i < 100; i += 20) {
            Binding[] twenty = IntStream.range(i, i + 20).mapToObj(WriteStand::to).toArray(Binding[]::new);
            assertThat(wait(stand, stand.write(stand.node(0), guid, true, twenty))).isTrue();
        }
        Told told = stand.write(stand.node(0), guid, true, to(101));
        stand.run(10);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_BINDINGS_MAX);
        stand.run(LONG_MILLIS);
        assertThat(hints(stand, 0, 1)).as("it does not come by the back door").isZero();
        for (WriteStand.Node each : stand.nodes) {
            assertThat(each.places(guid)).hasSize(100);
        }
    }

    @Test
    void asManyClientsWaitAsIsSetAndNoMore() {
        WriteStand stand = new WriteStand(4, ChangedSettings.of("relaysMax", 3));
        Guid guid = stand.guidAt(0, 1, 2, 3);
        InetSocketAddress client = WriteStand.client(7);
        for (int round = 0; round < 4; round++) {
            assertThat(stand.node(0).relay.held(RelayBound.WRITES)).isZero();
            assertThat(stand.node(0).relay.restNanos()).isPositive();
            for (int copy = 0; copy < 2; copy++) {
                assertThat(stand.write(stand.node(0), client, round, guid, true, true, to(round)).refused).isFalse();
            }
            assertThat(stand.write(stand.node(0), guid, true, to(round)).refused).isFalse();
            assertThat(stand.write(stand.node(0), guid, true, to(8)).refused).as("round %d", round).isTrue();
            assertThat(stand.node(0).relay.held(RelayBound.WRITES)).isEqualTo(3);
            stand.run(10);
            Told elsewhere = stand.write(stand.node(0), client, 9, guid, true, false, to(9));
            assertThat(stand.node(0).relay.restNanos()).as("one is to be told").isZero();
            stand.run(1);
            assertThat(elsewhere.result).isEqualTo(GnrsCount.WRITES_ELSEWHERE);
        }
        assertThat(stand.node(0).relay.held(RelayBound.DUPLICATE_REQUESTS)).isEqualTo(12);
        assertThat(stand.node(1).places(guid)).hasSize(4);
    }

    @Test
    void writesThatWaitTogetherAreBoundedAsOneIs() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        Told first = stand.write(stand.node(0), guid, true, to(0));
        Told some = stand.write(stand.node(0), guid, true, IntStream.range(0, 60).mapToObj(WriteStand::to).toArray(Binding[]::new));
        Told last = stand.write(stand.node(0), guid, true, IntStream.range(60, 100).mapToObj(WriteStand::to).toArray(Binding[]::new));
        Told over = stand.write(stand.node(0), guid, true, to(100));
        assertThat(stand.node(0).relay.held(RelayBound.WRITES_OF_A_NAME)).isEqualTo(2);
        stand.run(20);
        assertThat(stand.node(0).relay.held(RelayBound.WRITES_OF_A_NAME)).isZero();
        assertThat(List.of(first, some, last)).allMatch(Told::done);
        assertThat(over.result).isEqualTo(GnrsCount.WRITES_BINDINGS_MAX);
        assertThat(stand.node(1).places(guid)).hasSize(100);
    }

    @Test
    void theLongestRecordIsWrittenAndALongerOneIsRefused() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        Told longest = stand.write(stand.node(0), guid, true, ofBytes(CommonLimits.SHARED_RECORD_BYTES_MAX, "a"));
        Told longer = stand.write(stand.node(0), guid, true, ofBytes(CommonLimits.SHARED_RECORD_BYTES_MAX + 1, "a"));
        stand.run(20);
        assertThat(longest.done()).isTrue();
        assertThat(longer.refused).isFalse();
        assertThat(longer.result).isEqualTo(GnrsCount.WRITES_RECORD_BYTES_MAX);
        assertThat(stand.node(0).relay.held(RelayBound.WRITES)).isZero();

        Guid other = stand.guidAt(100_000, 1, 2, 3);
        stand.write(stand.node(0), other, false);
        Told half = stand.write(stand.node(0), other, true, ofBytes(30_000, "a"));
        Told over = stand.write(stand.node(0), other, true, ofBytes(30_001, "b"));
        Told rest = stand.write(stand.node(0), other, true, ofBytes(30_000, "c"));
        stand.run(20);
        assertThat(List.of(half, rest)).allMatch(Told::done);
        assertThat(over.result).isEqualTo(GnrsCount.WRITES_RECORD_BYTES_MAX);
    }

    /** Places of which a change has so many bytes. */
    static Binding[] ofBytes(int bytes, String host) {
        List<Binding> places = new ArrayList<>();
        byte[] none = RecordImage.write(Name.of(new Guid(0, 0, 0)).key(), 0, List.of(), List.of());
        int left = bytes - RecordMerge.change(none, 0, false).length;
        while (left > 0) {
            // Each has type, length, two times and a stamp.
            int each = left > 4000 ? 2000 : left > 2000 ? left / 2 : left;
            String start = "http://" + host + "/" + places.size() + "/";
            places.add(Binding.of(Locator.of(URI.create(start + "x".repeat(each - 28 - start.length())))));
            left -= each;
        }
        return places.toArray(Binding[]::new);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void serversThatWriteAtOnceComeToTheSame(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        WriteStand stand = new WriteStand(5);
        stand.lost = _ -> random.nextInt(20) == 0;
        stand.times = _ -> random.nextInt(10) == 0 ? 2 : 1;
        stand.ticks = _ -> 1 + (random.nextInt(4) == 0 ? random.nextInt(200) : 0);
        List<Guid> guids = List.of(stand.guidAt(0, 0, 1, 2), stand.guidAt(0, 0, 1, 2, 3, 4), stand.guidAt(0, 2, 3, 4));
        for (WriteStand.Node each : stand.nodes) {
            each.skewMillis = random.nextInt(-1000, 1000);
        }
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Binding[] bindings = IntStream.range(0, random.nextInt(3)).mapToObj(_ -> to(random.nextInt(20))).distinct()
                    .toArray(Binding[]::new);
            told.add(stand.write(
                    stand.node(random.nextInt(5)),
                    guids.get(random.nextInt(3)),
                    bindings.length > 0 && random.nextInt(3) > 0,
                    bindings));
            stand.run(random.nextInt(10));
        }
        stand.lost = _ -> false;
        stand.run(2 * LONG_MILLIS);
        assertThat(told).as("seed %d", seed).allMatch(each -> each.times == 1);
        assertThat(told.stream().filter(Told::done).count()).as("seed %d: done", seed).isGreaterThan(200);
        stand.nodes.forEach(node -> replay(stand, node));
        for (Guid guid : guids) {
            List<Long> digests = stand.nodes.stream()
                    .filter(node -> node.placement.get().servers(guid).contains(node.address))
                    .map(node -> digest(node.image(guid)))
                    .distinct()
                    .toList();
            assertThat(digests).as("seed %d: forms of %s", seed, guid).hasSize(1);
        }
    }

    private static long digest(byte @Nullable [] image) {
        return image == null ? 0 : RecordImage.digest(MemorySegment.ofArray(image), 0);
    }

    /** Takes the hints of a server to where they belong, as catching up does. */
    private static void replay(WriteStand stand, WriteStand.Node node) {
        for (WriteStand.Node other : stand.nodes) {
            HintedHandoff hints = node.deployment.hints();
            for (byte[] change = hints.first(node.peer(other)); change != null; change = hints.first(node.peer(other))) {
                byte[] message = new byte[PeerWire.HEADER_BYTES + 4 + change.length];
                PeerWire.header(MemorySegment.ofArray(message), 0, PeerWire.MERGE, message.length, 1);
                System.arraycopy(change, 0, message, PeerWire.HEADER_BYTES + 4, change.length);
                stand.send(new WriteStand.Datagram(node.address, other.address, message));
                stand.run(300);
                hints.done(node.peer(other), change);
            }
        }
    }
}
