package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.LookupStand.link;
import static io.guidepost.gnrs.relay.LookupStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A name is found from every server, whoever keeps it. */
class RelayedLookupsTest {
    private static final ReplicationSettings FORGETFUL =
            ChangedSettings.of("cacheTtlMillis", 0L, "negativeTtlMillis", 0L);

    private LookupStand stand = new LookupStand(5, FORGETFUL);

    private WriteStand servers() {
        return stand.servers;
    }

    private WriteStand.Node node(int number) {
        return stand.servers.node(number);
    }

    @Test
    void aNameIsFoundThroughEveryServer() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        for (WriteStand.Node each : servers().nodes) {
            assertThat(stand.told(each, guid)).as(each.address.toString()).isEqualTo("4001");
        }
        assertThat(node(3).door.counts().get(GnrsCount.LOOKUP_WAITS_PEERS)).isEqualTo(1);
        assertThat(node(0).door.counts().get(GnrsCount.LOOKUP_WAITS_PEERS)).isZero();
    }

    @Test
    void whoDoesNotAskForRecursionIsNotRelayed() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        LookupStand.Asked asked = stand.send(node(3), guid, false);
        servers().run(5);
        assertThat(asked.told()).isEqualTo("failed");
        assertThat(stand.sent(PeerWire.FETCH)).isZero();
    }

    @Test
    void questionsOfServersAreNeverPassedOn() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        byte[] question = LookupStand.question(7, guid, true);
        servers().send(new WriteStand.Datagram(node(4).address, node(3).address, question));
        servers().run(5);
        assertThat(stand.sent(PeerWire.FETCH)).isZero();
        byte[] answer = servers().sentTo(node(4).address).getLast();
        assertThat(answer[PeerWire.TYPE] & 0xff).isEqualTo(0x81);
        assertThat(node(3).door.counts().get(GnrsCount.LOOKUPS_ELSEWHERE)).isEqualTo(1);
    }

    @Test
    void theNearestIsAskedFirstOnceItIsKnown() {
        Map<Object, Integer> way = new HashMap<>();
        way.put(node(0).address, 30);
        way.put(node(1).address, 12);
        way.put(node(2).address, 4);
        servers().ticks = each -> way.getOrDefault(each.to(), 1);
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        servers().run(100);
        for (int i = 0; i < 30; i++) {
            assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        }
        long before = stand.sent(PeerWire.FETCH, node(2));
        long all = stand.sent(PeerWire.FETCH);
        for (int i = 0; i < 100; i++) {
            assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        }
        assertThat(stand.sent(PeerWire.FETCH, node(2)) - before).isEqualTo(100);
        assertThat(stand.sent(PeerWire.FETCH) - all).as("with those that race").isLessThan(130);
        assertThat(node(3).peer(node(0)).rttNanos()).as("all came to be measured").isPositive();
    }

    @Test
    void theNextIsAskedWhenOneIsSilentAndQuestionsAreBounded() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        servers().lost = servers().cut(node(0), node(1));
        assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        servers().lost = servers().cut(node(0), node(1), node(2));
        long before = stand.sent(PeerWire.FETCH);
        assertThat(stand.told(node(3), guid)).isEqualTo("failed");
        servers().run(5000);
        assertThat(stand.sent(PeerWire.FETCH) - before).isEqualTo(3 * 2);
        assertThat(node(3).count(PeerCount.FAILED_FETCHES)).isEqualTo(1);
        assertThat(node(3).door.counts().get(GnrsCount.LOOKUPS_PEERS_FAILED)).isEqualTo(1);
    }

    @Test
    void aSecondOneIsAskedWhenTheFirstIsSlow() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        for (int i = 0; i < 20; i++) {
            stand.told(node(3), guid);
        }
        long before = stand.sent(PeerWire.FETCH);
        servers().ticks = each -> each.type() == PeerWire.FETCH && stand.sent(PeerWire.FETCH) == before + 1 ? 400 : 1;
        int start = (int) (servers().nanos / 1_000_000);
        assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        assertThat((int) (servers().nanos / 1_000_000) - start).isLessThan(50);
        servers().run(1000);
        assertThat(stand.sent(PeerWire.FETCH) - before).isEqualTo(2);
    }

    @Test
    void thatNothingIsBoundIsSaidByAMajority() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        assertThat(stand.told(node(3), guid)).isEmpty();
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
        servers().lost = servers().cut(node(1));
        assertThat(stand.told(node(3), guid)).isEmpty();
        servers().lost = servers().cut(node(1), node(2));
        assertThat(stand.told(node(3), guid)).isEqualTo("failed");
    }

    @Test
    void oneWhoLacksARecordDoesNotHideIt() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        servers().lost = servers().cut(node(0));
        stand.write(node(4), guid, true, to(1));
        servers().lost = _ -> false;
        for (int i = 0; i < 5; i++) {
            assertThat(stand.told(node(3), guid)).isEqualTo("4001");
            assertThat(stand.told(node(0), guid)).as("at the one who lacks it").isEqualTo("4001");
        }
        servers().run(10);
        assertThat(node(0).places(guid)).as("it was told").hasSize(1);
        assertThat(stand.sent(PeerWire.FETCH, node(0))).isLessThanOrEqualTo(5);
    }

    /** Its copy has ended, and what a quorum has is not on its disk: that there is nothing, a majority must say. */
    @Test
    void aCopyThatHasEndedHidesNoNewerWrite() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 0, node(0).nowMillis() + 500));
        node(0).stalled = true;
        stand.write(node(4), guid, true, to(2));
        servers().run(600);
        assertThat(stand.told(node(0), guid)).isEqualTo("4002");
    }

    @Test
    void whatWasDeletedIsNotBroughtBackByOneWhoMissedIt() {
        stand = new LookupStand(5, ChangedSettings.from(FORGETFUL, "answers", 2));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        servers().lost = servers().cut(node(0));
        stand.write(node(4), guid, false);
        servers().lost = _ -> false;
        for (int i = 0; i < 10; i++) {
            assertThat(stand.told(node(3), guid)).isEmpty();
        }
        servers().run(10);
        assertThat(node(0).places(guid)).as("it was told").isEmpty();
    }

    @Test
    void severalAnswersAreMergedByTheirStamps() {
        stand = new LookupStand(5, ChangedSettings.from(FORGETFUL, "answers", 3));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1), to(2));
        servers().lost = servers().cut(node(0));
        stand.write(node(4), guid, false, to(3));
        servers().lost = servers().cut(node(1));
        stand.write(node(4), guid, true, to(4));
        servers().lost = _ -> false;
        assertThat(stand.told(node(3), guid)).isEqualTo("4003 4004");
        servers().run(20);
        for (int i = 0; i < 3; i++) {
            assertThat(node(i).places(guid)).hasSize(2);
        }
    }

    @Test
    void linksAreFollowedWhereverTheyLead() {
        Guid first = servers().guidAt(0, 0, 1);
        Guid second = servers().guidAt(1000, 1, 2);
        Guid third = servers().guidAt(2000, 3, 4);
        stand.write(node(4), first, true, Binding.of(link(second)), to(1));
        stand.write(node(4), second, true, Binding.of(link(third)), to(2));
        stand.write(node(4), third, true, to(3));
        for (WriteStand.Node each : servers().nodes) {
            assertThat(stand.told(each, first)).as(each.address.toString()).isEqualTo("4001 4002 4003");
        }
    }

    @Test
    void loopsOverSitesEnd() {
        Guid first = servers().guidAt(0, 0, 1);
        Guid second = servers().guidAt(1000, 2, 3);
        Guid third = servers().guidAt(2000, 3, 4);
        stand.write(node(4), first, true, Binding.of(link(second)));
        stand.write(node(4), second, true, Binding.of(link(third)));
        stand.write(node(4), third, true, Binding.of(link(first)), to(3));
        for (WriteStand.Node each : servers().nodes) {
            assertThat(stand.told(each, first)).isEqualTo("4003 guid " + first.high());
        }
    }

    @Test
    void aLinkThatCannotBeHadStaysInTheAnswer() {
        Guid first = servers().guidAt(0, 0, 1);
        Guid second = servers().guidAt(1000, 2, 3);
        stand.write(node(4), first, true, Binding.of(link(second)), to(1));
        stand.write(node(4), second, true, to(2));
        servers().lost = servers().cut(node(2), node(3));
        assertThat(stand.told(node(4), first)).isEqualTo("4001 guid " + second.high());
        assertThat(stand.told(node(0), first)).isEqualTo("4001 guid " + second.high());
    }

    @Test
    void manyLinksAreFetchedAtOnceAndBounded() {
        Guid first = servers().guidAt(0, 0, 1);
        List<Binding> links = new ArrayList<>();
        for (long from = 1000; links.size() < 90; ) {
            Guid next = servers().guidAt((int) from, 2, 3);
            links.add(Binding.of(link(next)));
            from = next.high() + 1;
        }
        stand.write(node(4), first, true, links.toArray(Binding[]::new));
        int before = (int) stand.sent(PeerWire.FETCH);
        LookupStand.Asked asked = stand.ask(node(4), first, 100);
        assertThat(asked.answer().code()).isEqualTo(GnrsMessage.Code.SUCCESS);
        // The record itself, and of 64 names each asks two servers that know nothing.
        assertThat(stand.sent(PeerWire.FETCH) - before).isEqualTo(1 + 2 * 64);
    }

    @Test
    void allAreAskedAtOnceIfThatIsWanted() {
        stand = new LookupStand(5, ChangedSettings.from(FORGETFUL, "choice", ReplicationSettings.Choice.ALL));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        servers().ticks = each -> each.to().equals(node(0).address) || each.to().equals(node(1).address) ? 40 : 1;
        assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(3);
        servers().run(100);
        assertThat(node(3).relay.restNanos()).as("nobody is waited for").isPositive();
    }

    @Test
    void anyIsAskedIfThatIsWanted() {
        stand = new LookupStand(5, ChangedSettings.from(FORGETFUL, "choice", ReplicationSettings.Choice.RANDOM));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        for (int i = 0; i < 90; i++) {
            stand.told(node(3), guid);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(stand.sent(PeerWire.FETCH, node(i))).isGreaterThan(10);
        }
    }

    @Test
    void whatTheIndexDoesNotKnowIsAskedOfTheEngine() {
        Guid guid = servers().guidAt(0, 0);
        Guid other = servers().guidAt(0, 1);
        stand.write(node(4), guid, true, to(1));
        node(0).store.cold = true;
        assertThat(stand.told(node(3), guid)).as("asked by another server").isEqualTo("4001");
        assertThat(stand.told(node(0), guid)).as("asked by a client").isEqualTo("4001");
        assertThat(stand.told(node(0), other)).as("kept elsewhere").isEmpty();
        node(0).store.diskFull = true;
        assertThat(stand.told(node(3), guid)).isEqualTo("failed");
        assertThat(stand.told(node(0), guid)).isEqualTo("failed");
    }

    @Test
    void asksForOneNameAreJoined() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        List<LookupStand.Asked> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(stand.send(node(3), guid, true));
        }
        servers().run(10);
        assertThat(all).allSatisfy(each -> assertThat(each.told()).isEqualTo("4001"));
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(1);
        assertThat(node(3).count(PeerCount.JOINED_FETCHES)).isEqualTo(49);
    }

    @Test
    void whoDoesNotFitIsToldSo() {
        stand = new LookupStand(5, ChangedSettings.from(FORGETFUL, "relaysMax", 3));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        servers().lost = servers().cut(node(0), node(1), node(2));
        List<LookupStand.Asked> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(stand.send(node(3), guid, true));
        }
        servers().run(3);
        assertThat(all.stream().filter(each -> each.bytes() != null).map(LookupStand.Asked::told))
                .hasSize(7)
                .containsOnly("failed");
        assertThat(node(3).door.counts().get(GnrsCount.LOOKUPS_PEERS_MAX)).isEqualTo(7);
        servers().run(3000);
        assertThat(all).allSatisfy(each -> assertThat(each.told()).isEqualTo("failed"));
    }

    @Test
    void aRecordIsFoundWhileItIsOnItsWayToItsNewServers() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        // Servers 0, 1 and 2 leave the tables: all records are placed at 3 and 4, where nothing is yet.
        for (WriteStand.Node each : servers().nodes) {
            each.placement.publish(WriteStand.placement(servers().servers.subList(3, 5), each.address));
        }
        for (WriteStand.Node each : servers().nodes) {
            assertThat(stand.told(each, guid)).as(each.address.toString()).isEqualTo("4001");
        }
        servers().run(20);
        assertThat(node(3).places(guid)).as("lazily on first query").hasSize(1);
        assertThat(node(4).places(guid)).hasSize(1);
        for (WriteStand.Node each : servers().nodes) {
            LivePlacement placement = each.placement;
            placement.settle(placement.get());
            assertThat(stand.told(each, guid)).isEqualTo("4001");
        }
    }

    @Test
    void whoIsCatchingUpAsksOthersToo() {
        stand = new LookupStand(5, FORGETFUL);
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        servers().lost = servers().cut(node(0));
        stand.write(node(4), guid, false, to(2));
        servers().lost = _ -> false;
        node(0).deployment.lagging(true);
        assertThat(stand.told(node(0), guid)).isEqualTo("4002");
        for (int i = 0; i < 10; i++) {
            assertThat(stand.told(node(3), guid)).as("it is asked, but not believed").isEqualTo("4002");
        }
    }

    @Test
    void whoIsCatchingUpAndAloneAnswersWhatItHas() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        node(0).deployment.lagging(true);
        servers().lost = servers().cut(node(1), node(2));
        assertThat(stand.told(node(3), guid)).isEqualTo("4001");
        assertThat(stand.told(node(0), guid)).isEqualTo("4001");
    }

    @Test
    void writesThatFailSayHowFarTheyCame() throws Malformed {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        servers().lost = servers().cut(node(0), node(1));
        for (boolean accepts : new boolean[] {false, true}) {
            InetSocketAddress client = WriteStand.client(accepts ? 1 : 2);
            GnrsOption[] options = accepts
                    ? new GnrsOption[] {GnrsOption.recursion(true), GnrsOption.accept()}
                    : new GnrsOption[] {GnrsOption.recursion(true)};
            byte[] insert = GnrsMessage.Insert.of(7, GnrsMessage.noOrigin(), guid, List.of(place(9, 0, 0)), options)
                    .write();
            servers().send(new WriteStand.Datagram(client, node(3).address, insert));
            servers().run(3000);
            GnrsMessage.Response answer = (GnrsMessage.Response) GnrsMessage.read(servers().sentTo(client).getFirst());
            assertThat(answer.code()).isEqualTo(GnrsMessage.Code.FAILED);
            assertThat(answer.option(GnrsOptionType.COPIES).map(GnrsOption::toString))
                    .isEqualTo(accepts ? Optional.of("COPIES=00010002") : Optional.empty());
        }
    }
}
