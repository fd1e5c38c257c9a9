package io.guidepost.alto;

import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.PidNames;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Four routers in a line, 10.0.0.1 to 4, each link of weight 1, 2 ms and 100 Mbit/s; the last one has 10 Mbit/s. */
public final class AltoTestTopology {
    /** Only what the ranking function gives is told. */
    public static final TopologyMapBuilder.Settings HIDDEN = settings(false, CostMetric.of("routingcost"));

    private AltoTestTopology() {}

    /**
     * What is told of it.
     *
     * @param open whether routers, ways and AS numbers are told
     */
    public static TopologyMapBuilder.Settings settings(boolean open, CostMetric... metrics) {
        PidNames names = new PidNames(new byte[PidNames.KEY_BYTES], Map.of(), open);
        return new TopologyMapBuilder.Settings(List.of(metrics), names, open, open, open);
    }

    /** The routers, with networks of the operator at the first two, and others behind the last three. */
    public static OperatorNetwork network() throws Malformed {
        Topology topology = Topology.EMPTY.with(RoutingMode.IMPLICIT);
        for (int i = 1; i <= 4; i++) {
            List<Nic> nics = new ArrayList<>();
            if (i > 1) {
                nics.add(nic(0, i, i - 1, i == 4 ? 10 : 100));
            }
            if (i < 4) {
                nics.add(nic(1, i, i + 1, i == 3 ? 10 : 100));
            }
            topology = topology.with(new TopologyRouter(router(i), true, 4, nics, List.of()));
        }
        OperatorNetwork network = new OperatorNetwork();
        network.topology(topology);
        network.add(Prefix.parse("130.149.1.0/24"), PrefixAttachment.internal(router(1), 3));
        network.add(Prefix.parse("130.149.2.0/24"), PrefixAttachment.internal(router(2), 3));
        network.add(Prefix.parse("130.149.2.128/25"), PrefixAttachment.internal(router(2), 3));
        network.add(Prefix.parse("0.0.0.0/1"), PrefixAttachment.external(router(3), 3, 1, 5));
        network.add(Prefix.parse("8.8.8.0/24"), PrefixAttachment.external(router(4), 3, 15_169, 2));
        network.add(Prefix.parse("9.0.0.0/8"), PrefixAttachment.external(router(3), 3, 9, 5));
        network.add(Prefix.parse("2001:db8::/32"), PrefixAttachment.external(router(2), 3, 7, 1));
        return network;
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

    /** A snapshot of it. */
    public static Ranking ranking() throws Malformed {
        return Ranking.of(network(), RankingFunction.STANDARD, 1);
    }
}
