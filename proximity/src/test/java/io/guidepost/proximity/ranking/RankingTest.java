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
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a snapshot says, on networks small enough to work out by hand. */
class RankingTest {
    /** A line of routers 10.0.0.1 to 4, each link of weight 1, 2 ms and 100 Mbit/s; the last one has 10 Mbit/s. */
    private static Topology line(RoutingMode routing) throws Malformed {
        Topology topology = Topology.EMPTY.with(routing);
        for (int i = 1; i <= 4; i++) {
            List<Nic> nics = new ArrayList<>();
            List<ExplicitRoute> routes = new ArrayList<>();
            if (i > 1) {
                nics.add(nic(0, i, i - 1, i == 4 ? 10 : 100));
            }
            if (i < 4) {
                nics.add(nic(1, i, i + 1, i == 3 ? 10 : 100));
            }
            for (int to = 1; to <= 4; to++) {
                if (to != i) {
                    routes.add(new ExplicitRoute(to < i ? 0 : 1, router(to)));
                }
            }
            topology = topology.with(new TopologyRouter(router(i), true, 4, nics, routes));
        }
        return topology;
    }

    private static Nic nic(int index, int from, int to, double bandwidth) throws Malformed {
        return new Nic(index, end(from, to), end(to, from), true, new TopologyLink(2, bandwidth, 0, 1));
    }

    private static Address end(int from, int to) throws Malformed {
        return Address.parse("192.168." + from + "." + to);
    }

    private static Address router(int number) throws Malformed {
        return Address.parse("10.0.0." + number);
    }

    private static OperatorNetwork network(RoutingMode routing) throws Malformed {
        OperatorNetwork network = new OperatorNetwork();
        network.topology(line(routing));
        network.add(Prefix.parse("130.149.1.0/24"), PrefixAttachment.internal(router(1), 3));
        network.add(Prefix.parse("130.149.2.0/24"), PrefixAttachment.internal(router(2), 3));
        network.add(Prefix.parse("0.0.0.0/1"), PrefixAttachment.external(router(3), 3, 1, 5));
        network.add(Prefix.parse("0.0.0.0/1"), PrefixAttachment.external(router(4), 3, 2, 2));
        network.add(Prefix.parse("2001:db8::/32"), PrefixAttachment.external(router(2), 3, 7, 1));
        return network;
    }

    private static int place(Ranking ranking, String address) throws Malformed {
        Address parsed = Address.parse(address);
        return ranking.place(parsed.high(), parsed.low());
    }

    private static void holds(Ranking ranking) throws Malformed {
        int here = place(ranking, "130.149.1.7");
        int next = place(ranking, "130.149.2.7");
        int far = place(ranking, "1.2.3.4");
        int six = place(ranking, "2001:db8::1");
        int source = ranking.source(here);
        assertThat(source).isZero();
        assertThat(ranking.router(source)).isEqualTo(router(1));
        assertThat(ranking.cost(source, here)).isZero();
        assertThat(ranking.cost(source, next)).isEqualTo(0.5 + 0.1);
        assertThat(ranking.cost(source, far)).as("the nearest exit is not the one with the shorter way behind it").isEqualTo(40 + 1 + 0.1);
        assertThat(ranking.cost(source, six)).isEqualTo(8 + 0.5 + 0.1);
        char[] ranks = ranking.ranks(source);
        assertThat((int) ranks[here]).isZero();
        assertThat((int) ranks[next]).isLessThan(ranks[six]);
        assertThat((int) ranks[six]).isLessThan(ranks[far]);
        assertThat(ranks[Ranking.NOWHERE]).isEqualTo(Ranking.UNRANKED);
        assertThat(ranking.path(source, far)).containsExactly(router(1), router(2), router(3));
        assertThat(ranking.metrics(source, far)).contains(new PathMetrics(100, 4, 2, 0, 5, 2, 0));
    }

    @Test
    void ranksByTheFormula() throws Malformed {
        holds(Ranking.of(network(RoutingMode.IMPLICIT), RankingFunction.STANDARD, 1));
    }

    @Test
    void followsExplicitRoutes() throws Malformed {
        holds(Ranking.of(network(RoutingMode.EXPLICIT), RankingFunction.STANDARD, 1));
    }

    @Test
    void routersAreKnownByTheirOwnAddressUnlessAPrefixHoldsIt() throws Malformed {
        OperatorNetwork network = network(RoutingMode.IMPLICIT);
        Ranking covered = Ranking.of(network, RankingFunction.STANDARD, 1);
        assertThat(place(covered, "10.0.0.2")).isEqualTo(place(covered, "1.2.3.4"));
        network.remove(Prefix.parse("0.0.0.0/1"));
        Ranking open = Ranking.of(network, RankingFunction.STANDARD, 2);
        assertThat(open.source(place(open, "10.0.0.2"))).isEqualTo(1);
        assertThat(place(open, "1.2.3.4")).isEqualTo(Ranking.NOWHERE);
        List<Prefix> told = new ArrayList<>();
        open.forEachPrefix((prefix, place) -> told.add(prefix));
        assertThat(told).containsExactly(
                Prefix.parse("130.149.1.0/24"), Prefix.parse("130.149.2.0/24"), Prefix.parse("2001:db8::/32"));
    }

    @Test
    void anEmptyNetworkKnowsNobody() throws Malformed {
        assertThat(place(Ranking.EMPTY, "1.2.3.4")).isEqualTo(Ranking.NOWHERE);
        assertThat(place(Ranking.EMPTY, "2001:db8::1")).isEqualTo(Ranking.NOWHERE);
        assertThat(Ranking.EMPTY.source(Ranking.NOWHERE)).isEqualTo(Ranking.NO_SOURCE);
        assertThat(Ranking.EMPTY.ranks(Ranking.NO_SOURCE)).containsExactly(Ranking.UNRANKED);
    }

    @Test
    void tellsTheAsByTheLongestPrefix() throws Malformed {
        OperatorNetwork network = network(RoutingMode.IMPLICIT);
        network.add(Prefix.parse("1.0.0.0/8"), PrefixAttachment.external(router(4), 3, 99, 1));
        Ranking ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        assertThat(as(ranking, "1.2.3.4")).isEqualTo(99);
        assertThat(as(ranking, "2.2.3.4")).as("the exit with the shorter way behind it").isEqualTo(2);
        assertThat(as(ranking, "130.149.1.1")).isZero();
        assertThat(as(ranking, "200.0.0.1")).isZero();
        assertThat(as(ranking, "2001:db8::1")).isEqualTo(7);
    }

    private static long as(Ranking ranking, String address) throws Malformed {
        Address parsed = Address.parse(address);
        return ranking.asNumber(parsed.high(), parsed.low());
    }
}
