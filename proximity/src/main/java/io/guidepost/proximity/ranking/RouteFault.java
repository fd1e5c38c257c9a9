package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.ExplicitRoute;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A fault of explicit routes: a path that does not reach its destination.
 *
 * @param source id of the router where it starts
 * @param destination id of the router where it should end
 * @param kind of the fault
 * @param passed ids of the routers on the path, the source first; in a loop the last one occurs twice
 */
record RouteFault(Address source, Address destination, Kind kind, List<Address> passed) {
    /** Kinds of faults. */
    public enum Kind {
        /** The path returns to a router. */
        LOOP,
        /** A router has no route to the destination. */
        NO_ROUTE,
        /** A route leaves by a missing card, or by one without a working link. */
        NO_LINK
    }

    /** Returns the faults, up to a bound; disabled routers are no fault. */
    static List<RouteFault> of(RoutingGraph graph, int max) {
        List<RouteFault> faults = new ArrayList<>();
        for (int source = 0; graph.explicit() && source < graph.ids.length; source++) {
            for (int destination = 0; destination < graph.ids.length && faults.size() < max; destination++) {
                if (graph.enabled[source] && graph.enabled[destination]) {
                    follow(graph, source, destination).ifPresent(faults::add);
                }
            }
        }
        return faults;
    }

    private static Optional<RouteFault> follow(RoutingGraph graph, int source, int destination) {
        Set<Address> passed = new LinkedHashSet<>();
        int at = source;
        while (at != destination) {
            passed.add(graph.ids[at]);
            int link = graph.route(at, destination);
            if (link == RoutingGraph.NO_LINK) {
                Kind kind = route(graph, at, destination).isPresent() ? Kind.NO_LINK : Kind.NO_ROUTE;
                return Optional.of(new RouteFault(graph.ids[source], graph.ids[destination], kind, List.copyOf(passed)));
            }
            at = graph.to[link];
            if (passed.contains(graph.ids[at])) {
                List<Address> loop = new ArrayList<>(passed);
                loop.add(graph.ids[at]);
                return Optional.of(
                        new RouteFault(graph.ids[source], graph.ids[destination], Kind.LOOP, List.copyOf(loop)));
            }
        }
        return Optional.empty();
    }

    private static Optional<ExplicitRoute> route(RoutingGraph graph, int at, int destination) {
        return graph.router(at).routes().stream()
                .filter(each -> each.destination().equals(graph.ids[destination]))
                .reduce((earlier, later) -> later);
    }

    /** Returns a sentence for people. */
    @Override
    public String toString() {
        Address end = passed.getLast();
        String what = switch (kind) {
            case LOOP -> "loops: it comes back to " + end;
            case NO_ROUTE -> "ends at " + end + ", which has no route to " + destination;
            case NO_LINK -> "ends at " + end + ", whose route to " + destination + " leaves by a card without a working link";
        };
        StringBuilder way = new StringBuilder();
        passed.forEach(each -> way.append(way.isEmpty() ? "" : " > ").append(each));
        return "the path from " + source + " to " + destination + " " + what + " (" + way + ")";
    }
}
