package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.RouterPosition;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns graphs into routers, in the order of the files, so that the same files give the same network. A node without an
 * address gets the next one of a block; an edge gets a card at each end, whose addresses refer to each other, out of
 * the reserved block 240.0.0.0/4 (RFC 1112). Each router has one more card, the last, for networks.
 */
final class GraphRouters {
    private static final int LINE_BLOCK = 240 << 24;

    private final InputOptions options;
    final Map<Address, TopologyRouter> routers = new LinkedHashMap<>();
    final SortedMap<Address, String> names = new TreeMap<>();
    final Map<Address, RouterPosition> positions = new HashMap<>();
    private int nodesMade;
    private int linesMade;

    GraphRouters(InputOptions options) {
        this.options = options;
    }

    /** One direction of an edge that waits for the other. */
    private record Half(int from, int to, TopologyLink link) {}

    /**
     * Adds the routers of a graph.
     *
     * @return directed edges
     */
    int add(InputGraph graph) {
        List<Address> ids = new ArrayList<>();
        List<List<Nic>> nics = new ArrayList<>();
        for (InputGraph.Node each : graph.nodes) {
            ids.add(id(each, graph));
            nics.add(new ArrayList<>());
        }
        int links = 0;
        Map<Long, Deque<Half>> waiting = new HashMap<>();
        for (InputGraph.Edge each : graph.edges) {
            int from = graph.number(each.from(), each.line());
            int to = graph.number(each.to(), each.line());
            if (from < 0 || to < 0 || from == to) {
                continue;
            }
            TopologyLink link = each.traits().link(graph.apart(from, to), options.unknown());
            links += each.bothWays() ? 2 : 1;
            if (each.bothWays()) {
                line(nics, from, to, link, link);
                continue;
            }
            Deque<Half> others = waiting.get(key(to, from));
            Half other = others == null ? null : others.poll();
            if (other == null) {
                waiting.computeIfAbsent(key(from, to), _ -> new ArrayDeque<>()).add(new Half(from, to, link));
            } else {
                line(nics, other.from, other.to, other.link, link);
            }
        }
        waiting.values().stream()
                .flatMap(Deque::stream)
                .sorted(Comparator.comparingLong(each -> key(each.from, each.to)))
                .forEach(each -> line(nics, each.from, each.to, each.link, null));
        for (int i = 0; i < ids.size(); i++) {
            for (Address each : graph.nodes.get(i).further()) {
                nics.get(i).add(new Nic(nics.get(i).size(), each, null, true, null));
            }
            int count = nics.get(i).size() + 1;
            routers.put(ids.get(i), new TopologyRouter(ids.get(i), true, count, nics.get(i), List.of()));
        }
        return links;
    }

    private static long key(int from, int to) {
        return (long) from << 32 | to;
    }

    private Address id(InputGraph.Node node, InputGraph graph) {
        Address id = node.id().orElseGet(this::next);
        if (!options.routerBlock().contains(id.high(), id.low()) && node.id().isEmpty()) {
            graph.fault(0, "there are more routers than addresses in " + options.routerBlock() + ": give a larger block");
        }
        if (routers.containsKey(id) || names.containsKey(id)) {
            graph.fault(0, "two routers have the address " + id + ": give each its own");
        }
        names.put(id, node.name());
        if (!Double.isNaN(node.latitude()) && !Double.isNaN(node.longitude())) {
            positions.put(id, new RouterPosition(node.latitude(), node.longitude()));
        }
        return id;
    }

    private Address next() {
        nodesMade++;
        return Address.ofIpv4((int) options.routerBlock().low() + nodesMade);
    }

    private void line(List<List<Nic>> nics, int from, int to, TopologyLink there, @Nullable TopologyLink back) {
        Address here = Address.ofIpv4(LINE_BLOCK + 2 * linesMade);
        Address other = Address.ofIpv4(LINE_BLOCK + 2 * linesMade + 1);
        linesMade++;
        nics.get(from).add(new Nic(nics.get(from).size(), here, other, true, there));
        nics.get(to).add(new Nic(nics.get(to).size(), other, here, true, back));
    }
}
