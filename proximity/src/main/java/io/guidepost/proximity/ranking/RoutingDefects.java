package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What keeps prefixes of a network from being ranked though no file is faulty: explicit routes that loop or end on the way, and exits
 * that no path leads to. Immutable.
 *
 * @param loops circles of explicit routes, counted for each destination
 * @param deadEnds routers that explicit routes to a destination lead to, and that have none themselves
 * @param exits routers to which prefixes are attached, and that the topology lacks, that are disabled, or to which no link leads
 * @param unranked prefixes all of whose exits are such
 * @param lines a sentence for each loop, dead end and exit, up to {@link RankingLimits#DEFECTS_TOLD_MAX}
 */
public record RoutingDefects(int loops, int deadEnds, int exits, int unranked, List<String> lines) {
    /** Copies the list. */
    public RoutingDefects {
        lines = List.copyOf(lines);
    }

    /** Finds those of a network, in time proportional to routes and distinct attachments. The network must not change meanwhile. */
    public static RoutingDefects of(OperatorNetwork network) {
        Search search = new Search(new RoutingGraph(network.topology()));
        search.routes();
        search.exits(network);
        return new RoutingDefects(search.loops, search.deadEnds, search.exits, search.unranked, search.lines);
    }

    /** Returns the numbers by their names in metrics. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("route_loops", loops);
        counts.put("route_dead_ends", deadEnds);
        counts.put("unreachable_exits", exits);
        counts.put("unranked_prefixes", unranked);
        return counts;
    }

    private static final class Search {
        private final RoutingGraph graph;
        private final boolean[] entered;
        private final List<String> lines = new ArrayList<>();
        private int loops;
        private int deadEnds;
        private int exits;
        private int unranked;

        Search(RoutingGraph graph) {
            this.graph = graph;
            entered = new boolean[graph.ids.length];
            for (int each : graph.to) {
                entered[each] = true;
            }
        }

        private void tell(String line) {
            if (lines.size() < RankingLimits.DEFECTS_TOLD_MAX) {
                lines.add(line);
            }
        }

        /** Follows the explicit routes to each destination; each router is visited once for it. */
        void routes() {
            int[] walk = new int[graph.ids.length];
            for (int destination = 0; graph.explicit() && destination < walk.length; destination++) {
                Arrays.fill(walk, -1);
                walk[destination] = destination;
                for (int start = 0; start < walk.length; start++) {
                    follow(start, destination, walk);
                }
            }
        }

        /** Follows routes from a router up to one that an earlier start has visited. */
        private void follow(int start, int destination, int[] walk) {
            int at = start;
            while (walk[at] < 0) {
                int link = graph.route(at, destination);
                if (link == RoutingGraph.NO_LINK) {
                    if (at != start) {
                        walk[at] = start;
                        deadEnds++;
                        tell("explicit routes to " + graph.ids[destination] + " end at router " + graph.ids[at] + ", which has none to it");
                    }
                    return;
                }
                walk[at] = start;
                at = graph.to[link];
            }
            if (walk[at] == start && at != destination) {
                loops++;
                tell("explicit routes to " + graph.ids[destination] + " loop: " + loop(at, destination));
            }
        }

        private String loop(int first, int destination) {
            List<Address> passed = new ArrayList<>(List.of(graph.ids[first]));
            int at = first;
            do {
                at = graph.to[graph.route(at, destination)];
                passed.add(graph.ids[at]);
            } while (at != first);
            return passed.stream().map(Address::toString).collect(Collectors.joining(" > "));
        }

        void exits(OperatorNetwork network) {
            // For each exit without a path: the prefixes there, and those of them that are attached at no other.
            Map<Address, int[]> found = new TreeMap<>();
            network.forEachDistinct((attachments, prefixes) -> {
                boolean inside = attachments.stream().anyMatch(PrefixAttachment::internal);
                List<Address> counted = attachments.stream()
                        .filter(each -> each.internal() == inside)
                        .map(PrefixAttachment::router)
                        .distinct()
                        .toList();
                boolean ranked = counted.stream().anyMatch(each -> why(each).isEmpty());
                unranked += ranked ? 0 : prefixes;
                for (Address each : counted) {
                    if (!why(each).isEmpty()) {
                        int[] counts = found.computeIfAbsent(each, _ -> new int[2]);
                        counts[0] += prefixes;
                        counts[1] += ranked ? 0 : prefixes;
                    }
                }
            });
            exits = found.size();
            found.forEach((router, counts) ->
                    tell("exit " + router + " " + why(router) + ": of " + counts[0] + " prefixes there, " + counts[1] + " have no other"));
        }

        private String why(Address exit) {
            int router = graph.number(exit);
            if (router == Ranking.NO_SOURCE) {
                return "is neither a router of the topology nor the address of a card";
            }
            if (!graph.enabled[router]) {
                return "is disabled";
            }
            return entered[router] || graph.ids.length == 1 ? "" : "is a router to which no link leads";
        }
    }
}
