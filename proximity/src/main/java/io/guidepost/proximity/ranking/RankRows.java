package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The ranks of all places for each source router: the part of a snapshot that does not depend on prefixes. Computed on
 * demand, and cached. Thread-safe.
 */
final class RankRows {
    final RoutingGraph graph;
    final RankingFunction function;
    final PlaceNumbers.View places;

    private final ClockCache<Row> ranks;
    private final ClockCache<RouterPaths> paths;

    /** Start of the exits of each place, and after the last, their end; in the order of routers. */
    private final int[] firstExit;

    private final int[] exitRouter;
    private final int[] exitDistance;
    private final long[] exitAs;
    private final int[] sources;
    private final char[] unranked;

    /** The cached values of one router: the rank of each place, and the cost of each rank. */
    private record Row(char[] ranks, double[] costs) {}

    private RankRows(RoutingGraph graph, RankingFunction function, PlaceNumbers.View places, ClockCache<RouterPaths> paths) {
        this.graph = graph;
        this.function = function;
        this.places = places;
        this.paths = paths;
        this.ranks = new ClockCache<>(graph.ids.length, RankingLimits.RANKS_BYTES_MAX, 2L * (places.size() + 1));
        int[] first = new int[places.size() + 2];
        for (int i = 1; i <= places.size(); i++) {
            first[i + 1] = first[i] + places.place(i).attachments().size();
        }
        int count = first[places.size() + 1];
        firstExit = first;
        exitRouter = new int[count];
        exitDistance = new int[count];
        exitAs = new long[count];
        sources = new int[places.size() + 1];
        Arrays.fill(sources, Ranking.NO_SOURCE);
        for (int place = 1; place <= places.size(); place++) {
            compile(place);
        }
        unranked = new char[places.size() + 1];
        Arrays.fill(unranked, Ranking.UNRANKED);
    }

    static RankRows of(RoutingGraph graph, RankingFunction function, PlaceNumbers.View places) {
        ClockCache<RouterPaths> paths =
                new ClockCache<>(graph.ids.length, RankingLimits.PATHS_BYTES_MAX, RouterPaths.bytes(graph.ids.length));
        return new RankRows(graph, function, places, paths);
    }

    /**
     * Returns the ranks of the next snapshot: the same object if nothing relevant changed, the same paths if the
     * routers did not. Routers that were used are computed at once, so that no packet waits for that.
     */
    RankRows next(Topology topology, RankingFunction by, PlaceNumbers.View known) {
        boolean otherRouters = !topology.equals(graph.topology);
        if (!otherRouters && by.equals(function) && known.size() == places.size()) {
            return this;
        }
        RankRows next = otherRouters ? of(new RoutingGraph(topology), by, known) : new RankRows(graph, by, known, paths);
        int warm = 0;
        for (int i = 0; i < graph.ids.length && warm < RankingLimits.WARM_MAX; i++) {
            int router = ranks.has(i) ? next.graph.number(graph.ids[i]) : Ranking.NO_SOURCE;
            if (router != Ranking.NO_SOURCE) {
                next.ranks(router);
                warm++;
            }
        }
        return next;
    }

    private void compile(int place) {
        int at = firstExit[place];
        int nearest = Integer.MAX_VALUE;
        for (var each : places.place(place).attachments()) {
            int router = graph.number(each.router());
            exitRouter[at] = router;
            exitDistance[at] = each.asDistance();
            exitAs[at] = each.asNumber();
            if (router != Ranking.NO_SOURCE && graph.enabled[router] && each.asDistance() < nearest) {
                nearest = each.asDistance();
                sources[place] = router;
            }
            at++;
        }
    }

    int source(int place) {
        return sources[place];
    }

    char[] ranks(int source) {
        return source < 0 ? unranked : row(source).ranks;
    }

    private Row row(int source) {
        Row kept = ranks.get(source);
        return kept != null ? kept : ranks.put(source, work(source));
    }

    long ranksDropped() {
        return ranks.dropped();
    }

    /** Returns the cost of a place; NaN if there is no path. */
    double cost(int source, int place) {
        if (source < 0 || place == Ranking.NOWHERE) {
            return Double.NaN;
        }
        Row row = row(source);
        char rank = row.ranks[place];
        if (rank == Ranking.UNRANKED) {
            return Double.NaN;
        }
        // The last rank is shared by all places beyond the bound.
        return rank < RankingLimits.RANK_MAX ? row.costs[rank] : cost(paths(source), place);
    }

    Optional<PathMetrics> metrics(int source, int place) {
        if (source < 0 || place == Ranking.NOWHERE) {
            return Optional.empty();
        }
        RouterPaths ways = paths(source);
        int exit = exit(ways, place);
        return exit < 0 ? Optional.empty() : Optional.of(metrics(ways, exit));
    }

    List<Address> path(int source, int place) {
        if (source < 0 || place == Ranking.NOWHERE) {
            return List.of();
        }
        RouterPaths ways = paths(source);
        int exit = exit(ways, place);
        return exit < 0 ? List.of() : ways.routers(exitRouter[exit]);
    }

    private RouterPaths paths(int source) {
        RouterPaths kept = paths.get(source);
        return kept != null ? kept : paths.put(source, RouterPaths.of(graph, source));
    }

    private Row work(int source) {
        RouterPaths ways = paths(source);
        double[] costs = new double[places.size() + 1];
        costs[Ranking.NOWHERE] = Double.NaN;
        for (int place = 1; place <= places.size(); place++) {
            costs[place] = cost(ways, place);
        }
        double[] levels = levels(costs);
        char[] rank = new char[costs.length];
        for (int place = 0; place < costs.length; place++) {
            rank[place] = Double.isNaN(costs[place])
                    ? Ranking.UNRANKED
                    : (char) Math.min(Arrays.binarySearch(levels, costs[place]), RankingLimits.RANK_MAX);
        }
        return new Row(rank, Arrays.copyOf(levels, Math.min(levels.length, RankingLimits.RANK_MAX)));
    }

    /** Returns the distinct costs, rising. */
    private static double[] levels(double[] costs) {
        double[] sorted = costs.clone();
        Arrays.sort(sorted);
        int count = 0;
        for (double each : sorted) {
            if (!Double.isNaN(each) && (count == 0 || sorted[count - 1] != each)) {
                sorted[count++] = each;
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    private double cost(RouterPaths ways, int place) {
        int exit = exit(ways, place);
        // Negative zero becomes positive, or the two would be different costs.
        return exit < 0 ? Double.NaN : function.cost(metrics(ways, exit)) + 0.0;
    }

    /**
     * Returns the exit that is nearest inside; if equal, of the smallest AS distance, then of the lowest router. -1 if
     * there is none.
     */
    private int exit(RouterPaths ways, int place) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = firstExit[place]; i < firstExit[place + 1]; i++) {
            double weight = exitRouter[i] < 0 ? Double.POSITIVE_INFINITY : ways.weight[exitRouter[i]];
            boolean better = weight < least || best >= 0 && weight == least && exitDistance[i] < exitDistance[best];
            if (better) {
                best = i;
                least = weight;
            }
        }
        return best;
    }

    private PathMetrics metrics(RouterPaths ways, int exit) {
        int router = exitRouter[exit];
        return new PathMetrics(
                ways.bandwidth[router],
                ways.latency[router],
                ways.hops[router],
                exitAs[exit],
                exitDistance[exit],
                ways.weight[router],
                ways.congestion[router]);
    }
}
