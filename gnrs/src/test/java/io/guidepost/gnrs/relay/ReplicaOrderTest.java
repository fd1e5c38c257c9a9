package io.guidepost.gnrs.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The order in which a record's servers are asked. */
class ReplicaOrderTest {
    /** Draws that leave the order to the rules: no shuffle decides, and no server of unknown latency is tried first. */
    private static final int DRAWS = 50;

    private final WriteStand servers = new WriteStand(6, ChangedSettings.of("choice", ReplicationSettings.Choice.NEAREST));

    /** Writes a name through a server until it has measured all that keep the name. */
    private Guid measured(WriteStand.Node from, int... keepers) {
        Map<InetSocketAddress, Integer> ways = Map.of(
                servers.node(1).address, 30,
                servers.node(2).address, 4,
                servers.node(3).address, 17);
        servers.ticks = datagram -> ways.getOrDefault(datagram.to(), 1);
        Guid guid = servers.guidAt(0, keepers);
        for (int i = 0; i < 4; i++) {
            servers.write(from, guid, true, WriteStand.to(1));
            servers.run(200);
        }
        return guid;
    }

    private List<Integer> order(WriteStand.Node node, Guid guid, int seed) {
        ReplicaOrder order =
                new ReplicaOrder(node.deployment, node.placement.placer(), new SplittableRandom(seed));
        return order.of(MemorySegment.ofArray(guid.toBytes()), 0).stream()
                .map(candidate -> servers.servers.indexOf(candidate.peer().address()))
                .toList();
    }

    @Test
    void thisServerIsFirstThenTheNearest() {
        WriteStand.Node own = servers.node(0);
        Guid guid = measured(own, 0, 1, 2, 3);
        assertThat(List.of(1, 2, 3)).allSatisfy(each ->
                assertThat(own.peer(servers.node(each)).health()).isEqualTo(Peer.Health.UP));
        for (int seed = 0; seed < DRAWS; seed++) {
            assertThat(order(own, guid, seed)).containsExactly(0, 2, 3, 1);
        }
    }

    @Test
    void aServerThatIsDownIsLast() {
        WriteStand.Node own = servers.node(4);
        Guid guid = measured(own, 1, 2, 3);
        servers.lost = datagram -> datagram.to().equals(servers.node(2).address) && datagram.type() == PeerWire.MERGE;
        for (int i = 0; i < Peer.SILENCES_MAX; i++) {
            servers.write(own, guid, true, WriteStand.to(1));
            servers.run(1500);
        }
        assertThat(own.peer(servers.node(2)).health()).isEqualTo(Peer.Health.DOWN);
        for (int seed = 0; seed < DRAWS; seed++) {
            assertThat(order(own, guid, seed)).containsExactly(3, 1, 2);
        }
    }

    /** While records may still be where the previous tables had them, the servers of the tables in force come first. */
    @Test
    void serversOfThePreviousTablesComeAfterThoseOfTheTablesInForce() {
        WriteStand.Node own = servers.node(0);
        Guid guid = measured(own, 0, 1, 2, 3);
        List<InetSocketAddress> left = servers.servers.subList(3, 6);
        own.placement.publish(WriteStand.placement(left, own.address));
        List<Integer> now = own.placement.get().servers(guid).stream().map(servers.servers::indexOf).toList();
        assertThat(now).contains(3);
        for (int seed = 0; seed < DRAWS; seed++) {
            List<Integer> order = order(own, guid, seed);
            assertThat(order.subList(0, now.size())).containsExactlyInAnyOrderElementsOf(now);
            assertThat(order.subList(now.size(), order.size())).containsExactly(0, 2, 1);
        }
    }
}
