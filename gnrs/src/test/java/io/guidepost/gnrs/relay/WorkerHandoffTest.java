package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.wire.TableStore;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.store.HybridClock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An answer finds the worker that asked, and what one worker hears of changes all know. */
class WorkerHandoffTest {
    private final WriteStand servers = new WriteStand(3, ReplicationSettings.defaults());
    private final WriteStand.Node keeper = servers.node(0);
    private final Guid guid = servers.guidAt(0, 0);
    private final TableStore store = new TableStore(() -> WriteStand.START_MILLIS);
    private final List<String> woken = new ArrayList<>();
    private final Deployment deployment;
    private final Relay one;
    private final Relay other;

    WorkerHandoffTest() {
        PeerTable peers = new PeerTable(Set.of(servers.servers.get(2)), PeerDescriptor.Kind.GUIDEPOST);
        peers.update(List.of(), servers.servers, PeerDescriptor.Kind.GUIDEPOST);
        LivePlacement placement =
                new LivePlacement(WriteStand.placement(servers.servers, servers.servers.get(2)));
        SplittableRandom random = new SplittableRandom(3);
        deployment = new Deployment(
                ChangedSettings.of("cacheTtlMillis", 60_000L),
                PeerBounds.defaults(),
                GnrsSettings::defaults,
                peers,
                placement,
                store,
                new HybridClock(),
                2,
                () -> servers.nanos,
                random::split);
        RelayGroup group = new RelayGroup(deployment);
        one = group.open(() -> woken.add("one"));
        other = group.open(() -> woken.add("other"));
        servers.write(keeper, guid, true, to(1));
        servers.run(5);
    }

    private static Exchange exchange(byte[] bytes, Peer from) {
        Exchange exchange = new Exchange();
        exchange.request(MemorySegment.ofArray(bytes), 0, bytes.length, WriteStand.START_MILLIS);
        exchange.peer(from.high(), from.low(), from.port());
        exchange.room(MemorySegment.ofArray(new byte[65_507]), 0, 65_507);
        return exchange;
    }

    private Peer keeper() {
        return deployment.peers().of(keeper.address);
    }

    private void turn(Relay relay) {
        relay.begin(WriteStand.START_MILLIS);
        relay.end();
    }

    /** Has a worker ask the keeper, and returns the answer, which has not arrived anywhere. */
    private byte[] ask(Relay relay, List<PeerGateway.Fetch> outcomes) {
        relay.begin(WriteStand.START_MILLIS);
        byte[] name = new byte[20];
        guid.write(MemorySegment.ofArray(name), 0);
        assertThat(relay.fetch(MemorySegment.ofArray(name), 0, new Exchange(), (outcome, _) -> outcomes.add(outcome)))
                .isTrue();
        Exchange out = exchange(new byte[0], keeper());
        assertThat(relay.next(out)).isTrue();
        relay.end();
        byte[] question = out.room().asSlice(0, out.responseLength()).toArray(PeerWire.BYTE);
        Exchange in = exchange(question, deployment.peers().of(servers.servers.get(2)));
        keeper.door.begin(WriteStand.START_MILLIS);
        keeper.door.take(in);
        keeper.door.end();
        assertThat(in.responseLength()).isPositive();
        return in.room().asSlice(0, in.responseLength()).toArray(PeerWire.BYTE);
    }

    @Test
    void anAnswerIsHandedToWhomItIsFor() {
        for (Relay asker : List.of(one, other)) {
            Relay stranger = asker.equals(one) ? other : one;
            List<PeerGateway.Fetch> outcomes = new ArrayList<>();
            byte[] answer = ask(asker, outcomes);
            woken.clear();
            stranger.begin(WriteStand.START_MILLIS);
            stranger.take(exchange(answer, keeper()));
            stranger.end();
            assertThat(outcomes).isEmpty();
            assertThat(woken).containsExactly(asker.equals(one) ? "one" : "other");
            turn(asker);
            assertThat(outcomes).containsExactly(PeerGateway.Fetch.FOUND);
            assertThat(stranger.counts().get(PeerCount.HANDED_OVER_MESSAGES)).isEqualTo(1);
        }
    }

    @Test
    void whatIsHandedOverIsCheckedAsWell() {
        List<PeerGateway.Fetch> outcomes = new ArrayList<>();
        byte[] answer = ask(one, outcomes);
        other.begin(WriteStand.START_MILLIS);
        other.take(exchange(answer, deployment.peers().of(servers.servers.get(1))));
        other.end();
        turn(one);
        assertThat(outcomes).isEmpty();
        assertThat(one.counts().get(PeerCount.DROPS_WRONG_SOURCE)).isEqualTo(1);
    }

    @Test
    void whatIsHandedOverIsBounded() {
        byte[] answer = ask(one, new ArrayList<>());
        other.begin(WriteStand.START_MILLIS);
        for (int i = 0; i < PeerBounds.defaults().mailboxMax() + 10; i++) {
            other.take(exchange(answer, keeper()));
        }
        other.end();
        turn(one);
        assertThat(one.counts().get(PeerCount.DROPS_MAILBOX_FULL)).isEqualTo(10);
    }

    @Test
    void aChangeThatOneWorkerHearsOfAllForget() {
        for (Relay each : List.of(one, other)) {
            byte[] answer = ask(each, new ArrayList<>());
            each.begin(WriteStand.START_MILLIS);
            each.take(exchange(answer, keeper()));
            each.end();
        }
        byte[] name = new byte[20];
        guid.write(MemorySegment.ofArray(name), 0);
        MemorySegment names = MemorySegment.ofArray(name);
        assertThat(one.remembered(names, 0)).isNotNull();
        assertThat(other.remembered(names, 0)).isNotNull();
        byte[] forget = new byte[PeerWire.FORGET_BYTES];
        PeerWire.header(MemorySegment.ofArray(forget), 0, PeerWire.FORGET, forget.length, 0);
        guid.write(MemorySegment.ofArray(forget), PeerWire.HEADER_BYTES);
        one.take(exchange(forget, keeper()));
        assertThat(one.remembered(names, 0)).isNull();
        assertThat(other.remembered(names, 0)).isNull();
    }
}
