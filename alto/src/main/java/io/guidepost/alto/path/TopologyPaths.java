package io.guidepost.alto.path;

import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Paths through a topology: the routers, and the links between them. Router addresses are published if that is
 * configured.
 */
public final class TopologyPaths implements AltoPaths {
    private static final double BITS_PER_MEGABIT = 1e6;

    private final Ranking ranking;
    private final int[] placeOfPid;
    private final boolean tellsRouters;
    private final Map<Hop, Double> megabits = new HashMap<>();

    /** A link, by the routers at its ends. */
    private record Hop(Address from, Address to) {}

    /**
     * Creates the paths of a ranking.
     *
     * @param placeOfPid a place of each PID of the default map
     * @param tellsRouters whether router addresses are published
     */
    public TopologyPaths(Ranking ranking, int[] placeOfPid, boolean tellsRouters) {
        this.ranking = ranking;
        this.placeOfPid = placeOfPid.clone();
        this.tellsRouters = tellsRouters;
        Map<Address, TopologyRouter> byCard = new HashMap<>();
        for (TopologyRouter router : ranking.topology().routers().values()) {
            for (Nic nic : router.nics()) {
                if (nic.own() != null) {
                    byCard.put(nic.own(), router);
                }
            }
        }
        for (TopologyRouter router : ranking.topology().routers().values()) {
            for (Nic nic : router.nics()) {
                TopologyLink link = nic.link();
                TopologyRouter next = nic.peer() == null ? null : byCard.get(nic.peer());
                if (link != null && next != null) {
                    megabits.merge(new Hop(router.id(), next.id()), link.bandwidth(), Math::max);
                }
            }
        }
    }

    @Override
    public Optional<List<Element>> path(int from, int to) {
        List<Address> routers = ranking.path(ranking.source(from), to);
        if (routers.isEmpty()) {
            return Optional.empty();
        }
        List<Element> elements = new ArrayList<>();
        elements.add(router(routers.getFirst()));
        for (int i = 1; i < routers.size(); i++) {
            Hop hop = new Hop(routers.get(i - 1), routers.get(i));
            Double width = megabits.get(hop);
            elements.add(new Element(
                    hop, width == null ? OptionalDouble.empty() : OptionalDouble.of(width * BITS_PER_MEGABIT), Optional.empty()));
            elements.add(router(routers.get(i)));
        }
        return Optional.of(elements);
    }

    private Element router(Address id) {
        Optional<String> name = tellsRouters ? Optional.of(EndpointAddress.of(id)) : Optional.empty();
        return new Element(id, OptionalDouble.empty(), name);
    }

    @Override
    public Optional<List<Element>> pathOfPids(int from, int to) {
        return path(placeOfPid[from], placeOfPid[to]);
    }

    @Override
    public boolean tellsPersistent() {
        return tellsRouters;
    }
}
