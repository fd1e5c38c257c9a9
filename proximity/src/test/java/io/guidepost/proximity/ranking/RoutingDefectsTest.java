package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TestNetworks;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutingDefectsTest {
    private static final TopologyLink LINK = new TopologyLink(1, 100, 0, 1);

    private static Address address(String text) throws Malformed {
        return Address.parse(text);
    }

    private static Nic nic(int index, String own, String peer) throws Malformed {
        return new Nic(index, address(own), address(peer), true, LINK);
    }

    /** Three routers in a row: 1 and 2 have routes to 3 that lead to each other; 3 has a route to 1, which 2 has not. */
    private static OperatorNetwork looping() throws Malformed {
        OperatorNetwork network = new OperatorNetwork();
        Address one = address("10.0.0.1");
        Address two = address("10.0.0.2");
        Address three = address("10.0.0.3");
        network.topology(network.topology()
                .with(RoutingMode.EXPLICIT)
                .with(new TopologyRouter(one, true, 2, List.of(nic(0, "192.0.2.1", "192.0.2.2")), List.of(new ExplicitRoute(0, three))))
                .with(new TopologyRouter(two, true, 3,
                        List.of(nic(0, "192.0.2.2", "192.0.2.1"), nic(1, "192.0.2.3", "192.0.2.4")), List.of(new ExplicitRoute(0, three))))
                .with(new TopologyRouter(three, true, 3,
                        List.of(nic(0, "192.0.2.4", "192.0.2.3"), new Nic(1, address("2001:db8::3"), null, true, null)),
                        List.of(new ExplicitRoute(0, one)))));
        return network;
    }

    @Test
    void loopsAndDeadEndsOfExplicitRoutesAreNamed() throws Exception {
        RoutingDefects found = RoutingDefects.of(looping());
        assertThat(found.counts())
                .isEqualTo(Map.of("route_loops", 1, "route_dead_ends", 1, "unreachable_exits", 0, "unranked_prefixes", 0));
        assertThat(found.lines()).containsExactly(
                "explicit routes to 10.0.0.1 end at router 10.0.0.2, which has none to it",
                "explicit routes to 10.0.0.3 loop: 10.0.0.1 > 10.0.0.2 > 10.0.0.1");
        OperatorNetwork implicit = looping();
        implicit.topology(implicit.topology().with(RoutingMode.IMPLICIT));
        assertThat(RoutingDefects.of(implicit).lines()).isEmpty();
    }

    /** A feed attaches prefixes to whatever its routes say: to routers without links, to next hops that are no routers. */
    @Test
    void exitsThatNoPathLeadsToAreNamed() throws Exception {
        OperatorNetwork network = TestNetworks.small();
        assertThat(RoutingDefects.of(network).lines()).isEmpty();
        Address exit = network.topology().routers().firstKey();
        Address alone = address("203.0.113.1");
        network.topology(network.topology().with(new TopologyRouter(alone, true, 1, List.of(), List.of())));
        network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(alone, 0, 1, 1));
        network.add(Prefix.parse("21.0.0.0/8"), PrefixAttachment.external(alone, 0, 1, 1));
        network.add(Prefix.parse("21.0.0.0/8"), PrefixAttachment.external(exit, 0, 1, 1));
        network.add(Prefix.parse("2001:db8::/32"), PrefixAttachment.external(address("2001:db8::1"), 0, 1, 1));
        RoutingDefects found = RoutingDefects.of(network);
        assertThat(found.lines()).containsExactly(
                "exit 203.0.113.1 is a router to which no link leads: of 2 prefixes there, 1 have no other",
                "exit 2001:db8::1 is neither a router of the topology nor the address of a card: "
                        + "of 1 prefixes there, 1 have no other");
        assertThat(found.exits()).isEqualTo(2);
        assertThat(found.unranked()).isEqualTo(2);
    }

    @Test
    void addressesOfCardsAreFurtherAddressesOfTheirRouter() throws Exception {
        OperatorNetwork network = looping();
        network.topology(network.topology().with(RoutingMode.IMPLICIT));
        network.add(Prefix.parse("130.149.1.0/24"), PrefixAttachment.internal(address("10.0.0.1"), 1));
        network.add(Prefix.parse("2001:db8:9::/48"), PrefixAttachment.external(address("2001:db8::3"), 0, 64_500, 2));
        assertThat(RoutingDefects.of(network).lines()).isEmpty();
        Ranking ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        Address from = address("130.149.1.7");
        Address to = address("2001:db8:9::1");
        int source = ranking.source(ranking.place(from.high(), from.low()));
        assertThat(ranking.path(source, ranking.place(to.high(), to.low()))).endsWith(address("10.0.0.3"));
        assertThat(network.asNumber(Prefix.parse("2001:db8:9::/48"), address("10.0.0.3"))).isEqualTo(64_500);
    }
}
