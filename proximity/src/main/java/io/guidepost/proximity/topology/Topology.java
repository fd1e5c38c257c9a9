package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The routers of a network and how paths between them are found. Immutable: a change makes another one.
 *
 * @param routers by their ids
 * @param names of routers for people, by their ids; not all have one
 * @param positions of routers on a map, by their ids; of the files that say them
 */
public record Topology(
        SortedMap<Address, TopologyRouter> routers,
        RoutingMode routing,
        SortedMap<Address, String> names,
        Map<Address, RouterPosition> positions) {
    /** A topology without routers. */
    public static final Topology EMPTY = new Topology(new TreeMap<>(), RoutingMode.IMPLICIT);

    /** Copies the maps. */
    public Topology {
        routers = Collections.unmodifiableSortedMap(new TreeMap<>(routers));
        names = Collections.unmodifiableSortedMap(new TreeMap<>(names));
        positions = Map.copyOf(positions);
    }

    /** Creates a topology without names and positions. */
    public Topology(SortedMap<Address, TopologyRouter> routers, RoutingMode routing) {
        this(routers, routing, Collections.emptySortedMap(), Map.of());
    }

    /** Returns the id of the first router with a name. */
    public Optional<Address> named(String name) {
        return names.entrySet().stream().filter(each -> each.getValue().equals(name)).map(Map.Entry::getKey).findFirst();
    }

    /** Returns the name of a router, or its id if it has none. */
    public String name(Address id) {
        return names.getOrDefault(id, id.toString());
    }

    /** Returns the router with an id, or else one whose card has that address, as next hops of routes often are. */
    public Optional<TopologyRouter> router(Address address) {
        TopologyRouter known = routers.get(address);
        return known != null
                ? Optional.of(known)
                : routers.values().stream()
                        .filter(each -> each.nics().stream().anyMatch(nic -> address.equals(nic.own())))
                        .findFirst();
    }

    /** Returns a copy with a router added or replaced. */
    public Topology with(TopologyRouter router) {
        SortedMap<Address, TopologyRouter> next = new TreeMap<>(routers);
        next.put(router.id(), router);
        return new Topology(next, routing, names, positions);
    }

    /** Returns a copy without a router. */
    public Topology without(Address id) {
        SortedMap<Address, TopologyRouter> next = new TreeMap<>(routers);
        next.remove(id);
        return new Topology(next, routing, names, positions);
    }

    /** Returns a copy with another way to find paths. */
    public Topology with(RoutingMode other) {
        return new Topology(routers, other, names, positions);
    }
}
