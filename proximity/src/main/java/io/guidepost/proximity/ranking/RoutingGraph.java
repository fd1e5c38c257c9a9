package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A topology as arrays: routers from 0 in the order of their ids, and the directed links of each side by side, in the
 * order of its cards. Immutable.
 */
final class RoutingGraph {
    /** The index of no link. */
    static final int NO_LINK = -1;

    final Topology topology;
    final Address[] ids;
    final boolean[] enabled;

    /** Start of the links of each router, and after the last router, their end. */
    final int[] firstLink;

    final int[] from;
    final int[] to;
    final int[] nic;
    final double[] latency;
    final double[] bandwidth;
    final double[] congestion;
    final double[] weight;

    private final TopologyRouter[] routers;
    private final Map<Address, Integer> numbers = new HashMap<>();

    /** For each router the destinations of its explicit routes, rising, and the link of each. */
    private final int[][] routeTo;

    private final int[][] routeLink;

    private record Ends(Address own, Address peer) {}

    private record Card(int router, Nic nic) {}

    private record Directed(int from, int to, int nic, TopologyLink link) {}

    RoutingGraph(Topology topology) {
        this.topology = topology;
        ids = topology.routers().keySet().toArray(new Address[0]);
        routers = topology.routers().values().toArray(new TopologyRouter[0]);
        enabled = new boolean[ids.length];
        for (int i = 0; i < ids.length; i++) {
            numbers.put(ids[i], i);
            enabled[i] = router(i).enabled();
        }
        // Ids come first; after them also the addresses of cards name a router, as next hops of routes often do.
        for (int i = 0; i < ids.length; i++) {
            for (Nic each : router(i).nics()) {
                if (each.own() != null) {
                    numbers.putIfAbsent(each.own(), i);
                }
            }
        }
        List<Directed> links = links();
        int count = links.size();
        firstLink = new int[ids.length + 1];
        from = new int[count];
        to = new int[count];
        nic = new int[count];
        latency = new double[count];
        bandwidth = new double[count];
        congestion = new double[count];
        weight = new double[count];
        for (int i = 0; i < count; i++) {
            Directed each = links.get(i);
            from[i] = each.from;
            to[i] = each.to;
            nic[i] = each.nic;
            latency[i] = each.link.latency();
            bandwidth[i] = each.link.bandwidth();
            congestion[i] = each.link.congestion();
            weight[i] = each.link.weight();
            firstLink[each.from + 1] = i + 1;
        }
        for (int i = 1; i <= ids.length; i++) {
            firstLink[i] = Math.max(firstLink[i], firstLink[i - 1]);
        }
        boolean explicit = topology.routing() == RoutingMode.EXPLICIT;
        routeTo = new int[explicit ? ids.length : 0][];
        routeLink = new int[routeTo.length][];
        for (int i = 0; i < routeTo.length; i++) {
            readRoutes(i);
        }
    }

    TopologyRouter router(int number) {
        return routers[number];
    }

    boolean explicit() {
        return topology.routing() == RoutingMode.EXPLICIT;
    }

    /** Returns the index of a router by its id or the address of one of its cards; {@link Ranking#NO_SOURCE} if there is none. */
    int number(Address id) {
        return numbers.getOrDefault(id, Ranking.NO_SOURCE);
    }

    /** Returns the link of the explicit route of a router to a destination; {@link #NO_LINK} if there is none. */
    int route(int at, int destination) {
        int found = Arrays.binarySearch(routeTo[at], destination);
        return found < 0 ? NO_LINK : routeLink[at][found];
    }

    /** Returns the link of a card of a router. */
    int linkAt(int router, int card) {
        for (int i = firstLink[router]; i < firstLink[router + 1]; i++) {
            if (nic[i] == card) {
                return i;
            }
        }
        return NO_LINK;
    }

    /**
     * Returns the links in the order of routers and cards: where cards name each other, both are up and both routers
     * enabled.
     */
    private List<Directed> links() {
        Map<Ends, Card> cards = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            for (Nic each : router(i).nics()) {
                if (enabled[i] && each.up() && each.own() != null && each.peer() != null) {
                    cards.putIfAbsent(new Ends(each.own(), each.peer()), new Card(i, each));
                }
            }
        }
        List<Directed> links = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            for (Nic each : router(i).nics()) {
                TopologyLink link = each.link();
                if (each.own() == null || each.peer() == null || link == null) {
                    continue;
                }
                Card own = cards.get(new Ends(each.own(), each.peer()));
                Card other = cards.get(new Ends(each.peer(), each.own()));
                // Of cards with equal address pairs only the first is connected.
                if (own != null && other != null && own.router == i && own.nic.index() == each.index() && other.router != i) {
                    links.add(new Directed(i, other.router, each.index(), link));
                }
            }
        }
        return links;
    }

    private void readRoutes(int at) {
        TreeMap<Integer, Integer> routes = new TreeMap<>();
        for (ExplicitRoute each : router(at).routes()) {
            int destination = number(each.destination());
            int link = linkAt(at, each.nic());
            if (destination != Ranking.NO_SOURCE && link != NO_LINK) {
                routes.put(destination, link);
            } else if (destination != Ranking.NO_SOURCE) {
                routes.remove(destination);
            }
        }
        routeTo[at] = routes.keySet().stream().mapToInt(Integer::intValue).toArray();
        routeLink[at] = routes.values().stream().mapToInt(Integer::intValue).toArray();
    }
}
