package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The routers of a network and how paths between them are found. Immutable: a change makes another one.
 *
 * @param routers by their ids
 */
public record Topology(SortedMap<Address, TopologyRouter> routers, RoutingMode routing) {
    /** No routers yet. */
    public static final Topology EMPTY = new Topology(new TreeMap<>(), RoutingMode.IMPLICIT);

    /** Copies the map. */
    public Topology {
        routers = Collections.unmodifiableSortedMap(new TreeMap<>(routers));
    }

    /** The same with a router added, or put in place of the one of the same id. */
    public Topology with(TopologyRouter router) {
        SortedMap<Address, TopologyRouter> next = new TreeMap<>(routers);
        next.put(router.id(), router);
        return new Topology(next, routing);
    }

    /** The same without a router. */
    public Topology without(Address id) {
        SortedMap<Address, TopologyRouter> next = new TreeMap<>(routers);
        next.remove(id);
        return new Topology(next, routing);
    }

    /** The same with paths found in another way. */
    public Topology with(RoutingMode other) {
        return new Topology(routers, other);
    }
}
