package io.guidepost.lab.asgraph;

import java.util.Arrays;

/**
 * Latencies and hops from one AS to all others. Belongs to one thread, and serves one source after the other.
 *
 * <p>Latencies come from Dijkstra's algorithm with a bucket queue (R. Dial, "Algorithm 360", CACM 1969) whose buckets
 * are not wider than the fastest link (E. Dinitz): nodes in the first non-empty bucket can get no nearer, so no order
 * is needed in it. Where the fastest link is too fast for that, buckets are wider, and a node that gets nearer within
 * its bucket is taken once more. Hops come from a breadth-first search: the length of the shortest AS path, as a router
 * has it from BGP, whatever its latency.
 */
public final class ShortestPaths {
    private static final int BUCKETS_MAX = 1 << 17;
    private static final int NONE = -1;
    private static final int FAR = Integer.MAX_VALUE;

    /** Nine minutes: longer paths count as this, so that no sum of them overflows. */
    private static final int LONGEST_MICROS = 1 << 29;

    private final AsGraph graph;
    private final int shift;
    private final int bucketMask;

    /** The first entry of each bucket; buckets are reused in turn. */
    private final int[] heads;

    private int[] entryNodes;
    private int[] entryNexts;
    private int entries;
    private final int[] micros;

    /** The latency with which the links of a node were last followed. */
    private final int[] followed;

    private final int[] hops;
    private final int[] queue;
    private int source = NONE;

    public ShortestPaths(AsGraph graph) {
        this.graph = graph;
        int fastest = FAR;
        int slowest = 1;
        for (int arc = 0; arc < graph.arcs(); arc++) {
            fastest = Math.min(fastest, graph.micros(arc));
            slowest = Math.max(slowest, graph.micros(arc));
        }
        int narrow = 31 - Integer.numberOfLeadingZeros(fastest);
        // A link leads at most this many buckets ahead, and the slot of the current one must not be met again.
        while ((slowest >>> narrow) + 2 > BUCKETS_MAX) {
            narrow++;
        }
        shift = narrow;
        bucketMask = (Integer.highestOneBit((slowest >>> narrow) + 1) << 1) - 1;
        heads = new int[bucketMask + 1];
        Arrays.fill(heads, NONE);
        entryNodes = new int[graph.arcs() + 1];
        entryNexts = new int[graph.arcs() + 1];
        micros = new int[graph.size()];
        followed = new int[graph.size()];
        hops = new int[graph.size()];
        queue = new int[graph.size()];
    }

    /** Sets the source; consecutive sources of the same anchor cost one search. */
    public void from(int node) {
        if (source == NONE || graph.anchor(source) != graph.anchor(node)) {
            searchMicros(graph.anchor(node));
            searchHops(graph.anchor(node));
        }
        source = node;
    }

    /** Returns the latency of the fastest path to a node, one way, in microseconds; 0 to the source itself. */
    public int micros(int target) {
        return target == source
                ? 0
                : graph.anchorMicros(source) + micros[graph.anchor(target)] + graph.anchorMicros(target);
    }

    /** Returns the links of the shortest path to a node; 0 to the source itself. */
    public int hops(int target) {
        return target == source ? 0 : leaf(source) + hops[graph.anchor(target)] + leaf(target);
    }

    private int leaf(int node) {
        return graph.anchor(node) == node ? 0 : 1;
    }

    private void searchMicros(int from) {
        Arrays.fill(micros, FAR);
        Arrays.fill(followed, FAR);
        entries = 0;
        micros[from] = 0;
        push(from, 0);
        int taken = 0;
        for (int bucket = 0; taken < entries; bucket++) {
            int slot = bucket & bucketMask;
            while (heads[slot] != NONE) {
                int entry = heads[slot];
                heads[slot] = entryNexts[entry];
                taken++;
                int node = entryNodes[entry];
                // An entry may be stale: the node was nearer and has had its turn.
                if (micros[node] < followed[node]) {
                    followed[node] = micros[node];
                    follow(node);
                }
            }
        }
    }

    private void follow(int node) {
        int here = micros[node];
        int end = graph.arcEnd(node);
        for (int arc = graph.firstArc(node); arc < end; arc++) {
            int there = graph.neighbour(arc);
            int through = Math.min(here + graph.micros(arc), LONGEST_MICROS);
            if (through < micros[there]) {
                micros[there] = through;
                push(there, through >>> shift & bucketMask);
            }
        }
    }

    private void push(int node, int slot) {
        if (entries == entryNodes.length) {
            entryNodes = Arrays.copyOf(entryNodes, 2 * entries);
            entryNexts = Arrays.copyOf(entryNexts, 2 * entries);
        }
        entryNodes[entries] = node;
        entryNexts[entries] = heads[slot];
        heads[slot] = entries++;
    }

    private void searchHops(int from) {
        Arrays.fill(hops, FAR);
        hops[from] = 0;
        queue[0] = from;
        int filled = 1;
        for (int taken = 0; taken < filled; taken++) {
            int node = queue[taken];
            int end = graph.arcEnd(node);
            for (int arc = graph.firstArc(node); arc < end; arc++) {
                int there = graph.neighbour(arc);
                if (hops[there] == FAR) {
                    hops[there] = hops[node] + 1;
                    queue[filled++] = there;
                }
            }
        }
    }
}
