package io.guidepost.gnrs.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.wire.TableStore;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.HybridClock;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A server that knows of others but has no tables keeps every name, and asks nobody. */
class WithoutTablesTest {
    private final TableStore store = new TableStore(() -> WriteStand.START_MILLIS);
    private final Guid guid = Guid.ofAscii("here");
    private final Relay relay;

    WithoutTablesTest() {
        InetSocketAddress own = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5001);
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 5001);
        PeerTable peers = new PeerTable(Set.of(own), PeerDescriptor.Kind.GUIDEPOST);
        peers.update(List.of(), List.of(own, other), PeerDescriptor.Kind.GUIDEPOST);
        SplittableRandom random = new SplittableRandom(1);
        Deployment deployment = new Deployment(
                ReplicationSettings.defaults(),
                PeerBounds.defaults(),
                GnrsSettings::defaults,
                peers,
                new LivePlacement(Placement.everything()),
                store,
                new HybridClock(),
                1,
                () -> 1,
                random::split);
        relay = new RelayGroup(deployment).open(() -> {});
    }

    private PeerGateway.Fetch fetch() {
        List<PeerGateway.Fetch> outcomes = new ArrayList<>();
        byte[] name = Name.of(guid).key();
        relay.begin(WriteStand.START_MILLIS);
        relay.fetch(MemorySegment.ofArray(name), 1, new Exchange(), (outcome, _) -> outcomes.add(outcome));
        relay.end();
        relay.begin(WriteStand.START_MILLIS);
        relay.end();
        assertThat(outcomes).hasSize(1);
        return outcomes.getFirst();
    }

    @Test
    void theOwnStoreIsAllThereIs() {
        assertThat(fetch()).isEqualTo(PeerGateway.Fetch.EMPTY);
        store.put(new Record(Name.of(guid), 0, List.of(WriteStand.to(1)), List.of()), Record.ABSENT);
        assertThat(fetch()).isEqualTo(PeerGateway.Fetch.FOUND);
        store.cold = true;
        assertThat(fetch()).isEqualTo(PeerGateway.Fetch.FOUND);
    }

    @Test
    void aDiskThatCannotBeReadSaysNothing() {
        store.cold = true;
        store.diskFull = true;
        assertThat(fetch()).isEqualTo(PeerGateway.Fetch.FAILED);
    }
}
