package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The pairs of cards that name each other's addresses. Immutable. */
public final class NicPairs {
    /**
     * A card at its router.
     *
     * @param router of the card
     * @param nic the card
     */
    public record End(TopologyRouter router, Nic nic) {}

    private final Topology topology;
    private final Map<Address, End> ends = new HashMap<>();

    /** Indexes a topology. */
    public NicPairs(Topology topology) {
        this.topology = topology;
        for (TopologyRouter router : topology.routers().values()) {
            for (Nic nic : router.nics()) {
                if (nic.own() != null) {
                    ends.putIfAbsent(nic.own(), new End(router, nic));
                }
            }
        }
    }

    /** Returns the card at the other end of a link. */
    public Optional<End> far(Nic nic) {
        return Optional.ofNullable(nic.peer())
                .map(ends::get)
                .filter(end -> nic.own() != null && Objects.equals(end.nic().peer(), nic.own()));
    }

    /** Returns the number of usable directed links: both cards are up, both routers enabled, and the link is known. */
    public int links() {
        int links = 0;
        for (TopologyRouter router : topology.routers().values()) {
            for (Nic nic : router.nics()) {
                links += router.enabled() && nic.link() != null && usable(nic) ? 1 : 0;
            }
        }
        return links;
    }

    /** Returns the routers that are reachable from a router, itself included. */
    public Set<Address> reached(TopologyRouter first) {
        Set<Address> reached = new HashSet<>(List.of(first.id()));
        Deque<TopologyRouter> next = new ArrayDeque<>(List.of(first));
        while (!next.isEmpty()) {
            for (Nic nic : next.remove().nics()) {
                if (nic.link() != null && usable(nic)) {
                    TopologyRouter far = far(nic).orElseThrow().router();
                    if (reached.add(far.id())) {
                        next.add(far);
                    }
                }
            }
        }
        return reached;
    }

    private boolean usable(Nic nic) {
        return nic.up() && far(nic).filter(end -> end.nic().up() && end.router().enabled()).isPresent();
    }
}
