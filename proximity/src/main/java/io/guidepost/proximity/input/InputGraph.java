package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.proximity.Findings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nodes and edges of a file, before they become routers and links. Edges may stand before their nodes. */
final class InputGraph {
    /**
     * A node.
     *
     * @param name for people
     * @param id the router's address, if the file has one
     * @param further other addresses of the router, such as next hops of routes
     * @param latitude degrees; NaN if the file has none
     * @param longitude degrees; NaN if the file has none
     */
    record Node(String name, Optional<Address> id, List<Address> further, double latitude, double longitude) {}

    /**
     * An edge.
     *
     * @param from key of a node
     * @param to key of a node
     * @param bothWays whether it is the same in the other direction
     * @param line of the file, for faults
     */
    record Edge(String from, String to, boolean bothWays, EdgeAttributes traits, long line) {}

    private static final double RADIUS_KILOMETRES = 6371;

    private final String file;
    private final Findings findings;
    final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    final List<Edge> edges = new ArrayList<>();

    InputGraph(String file, Findings findings) {
        this.file = file;
        this.findings = findings;
    }

    /** Adds a node under the key that edges refer to. */
    void node(String key, Node node, long line) {
        if (nodes.size() >= InputLimits.NODES_MAX) {
            if (nodes.size() == InputLimits.NODES_MAX && numbers.putIfAbsent("", 0) == null) {
                findings.fault(file, line, "there are more than " + InputLimits.NODES_MAX + " nodes");
            }
        } else if (numbers.putIfAbsent(key, nodes.size()) != null) {
            findings.fault(file, line, "node '" + key + "' is there already: give each its own id");
        } else {
            nodes.add(node);
        }
    }

    void edge(Edge edge) {
        if (edges.size() < InputLimits.EDGES_MAX) {
            edges.add(edge);
        } else {
            findings.fault(file, edge.line(), "there are more than " + InputLimits.EDGES_MAX + " edges between nodes");
        }
    }

    void fault(long line, String reason) {
        findings.fault(file, line, reason);
    }

    void warn(long line, String reason) {
        findings.warn(file, line, reason);
    }

    /** Returns the number of a node by its key; adds a fault and returns -1 if there is none. */
    int number(String key, long line) {
        Integer number = numbers.get(key);
        if (number == null) {
            findings.fault(file, line, "an edge ends at node '" + key + "', which is not there");
            return -1;
        }
        return number;
    }

    /** Returns the kilometres of the great circle between two nodes (haversine formula); NaN if a coordinate is unknown. */
    double apart(int from, int to) {
        double here = Math.toRadians(nodes.get(from).latitude());
        double there = Math.toRadians(nodes.get(to).latitude());
        double up = Math.sin((there - here) / 2);
        double along = Math.sin(Math.toRadians(nodes.get(to).longitude() - nodes.get(from).longitude()) / 2);
        double chord = up * up + Math.cos(here) * Math.cos(there) * along * along;
        return 2 * RADIUS_KILOMETRES * Math.asin(Math.sqrt(Math.min(1, chord)));
    }

    /** Returns an address, if the text is one. */
    static Optional<Address> address(String text) {
        return text.indexOf('.') < 0 && text.indexOf(':') < 0 ? Optional.empty() : Address.find(text);
    }
}
