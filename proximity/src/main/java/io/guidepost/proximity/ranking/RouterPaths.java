package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The shortest paths from one router to all others, as columns by the index of the destination. Immutable once built.
 *
 * <p>An unreachable router has an infinite weight. A disabled router reaches nothing, not even itself.
 */
final class RouterPaths {
    final double[] weight;
    final double[] latency;
    final double[] bandwidth;
    final double[] congestion;
    final int[] hops;

    /** The last link of each path; {@link RoutingGraph#NO_LINK} at the source, and for unreachable routers. */
    final int[] last;

    private final RoutingGraph graph;
    private final int source;

    private RouterPaths(RoutingGraph graph, int source) {
        this.graph = graph;
        this.source = source;
        int routers = graph.ids.length;
        weight = new double[routers];
        latency = new double[routers];
        bandwidth = new double[routers];
        congestion = new double[routers];
        hops = new int[routers];
        last = new int[routers];
        Arrays.fill(weight, Double.POSITIVE_INFINITY);
        Arrays.fill(last, RoutingGraph.NO_LINK);
        if (graph.enabled[source]) {
            weight[source] = 0;
            bandwidth[source] = Double.POSITIVE_INFINITY;
        }
    }

    static RouterPaths of(RoutingGraph graph, int source) {
        RouterPaths paths = new RouterPaths(graph, source);
        if (!graph.enabled[source]) {
            return paths;
        }
        if (graph.explicit()) {
            paths.follow();
        } else {
            new Dijkstra(graph, paths).search(source);
        }
        return paths;
    }

    /** Returns the bytes of the paths of one router. */
    static long bytes(int routers) {
        return 40L * routers;
    }

    boolean reaches(int router) {
        return weight[router] < Double.POSITIVE_INFINITY;
    }

    /** Sets the path to the end of a link to that to its start and the link. */
    void extend(int link) {
        int before = graph.from[link];
        int end = graph.to[link];
        weight[end] = weight[before] + graph.weight[link];
        latency[end] = latency[before] + graph.latency[link];
        bandwidth[end] = Math.min(bandwidth[before], graph.bandwidth[link]);
        congestion[end] = congestion[before] + graph.congestion[link];
        hops[end] = hops[before] + 1;
        last[end] = link;
    }

    /**
     * Follows the explicit routes to each router in turn; a loop shows when the path is longer than the number of
     * routers.
     */
    private void follow() {
        int routers = graph.ids.length;
        for (int destination = 0; destination < routers; destination++) {
            if (destination == source) {
                continue;
            }
            double sumWeight = 0;
            double sumLatency = 0;
            double sumCongestion = 0;
            double narrowest = Double.POSITIVE_INFINITY;
            int passed = 0;
            int link = RoutingGraph.NO_LINK;
            int at = source;
            while (at != destination && passed < routers) {
                link = graph.route(at, destination);
                if (link == RoutingGraph.NO_LINK) {
                    break;
                }
                sumWeight += graph.weight[link];
                sumLatency += graph.latency[link];
                sumCongestion += graph.congestion[link];
                narrowest = Math.min(narrowest, graph.bandwidth[link]);
                passed++;
                at = graph.to[link];
            }
            if (at == destination) {
                weight[destination] = sumWeight;
                latency[destination] = sumLatency;
                congestion[destination] = sumCongestion;
                bandwidth[destination] = narrowest;
                hops[destination] = passed;
                last[destination] = link;
            }
        }
    }

    /** Returns the ids of the routers on the path, both ends included; empty if there is no path. */
    List<Address> routers(int destination) {
        if (!reaches(destination)) {
            return List.of();
        }
        if (!graph.explicit()) {
            Deque<Address> passed = new ArrayDeque<>();
            passed.addFirst(graph.ids[destination]);
            for (int at = destination; at != source; ) {
                at = graph.from[last[at]];
                passed.addFirst(graph.ids[at]);
            }
            return List.copyOf(passed);
        }
        List<Address> passed = new ArrayList<>();
        passed.add(graph.ids[source]);
        for (int at = source; at != destination; ) {
            at = graph.to[graph.route(at, destination)];
            passed.add(graph.ids[at]);
        }
        return List.copyOf(passed);
    }
}
