package io.guidepost.lab.asgraph;

import java.util.Arrays;

/**
 * A graph of autonomous systems and their links, each with its latency. Immutable. Nodes are numbered from 0 in the
 * order of their AS numbers.
 *
 * <p>A node with one link is a leaf: every path to it goes through its neighbour, its anchor, so that searches need not
 * visit it. In the graph of the DMap evaluation three of ten nodes are leaves. Two leaves linked to each other stay as
 * they are.
 */
public final class AsGraph {
    private final long[] ases;
    private final int links;

    /** The node itself, or the neighbour of a leaf. */
    private final int[] anchors;

    /** Latency to the anchor in microseconds. */
    private final int[] offsets;

    /** Where the arcs of each node begin; those of leaves, and to them, are left out. */
    private final int[] firsts;

    private final int[] neighbours;
    private final int[] micros;

    private AsGraph(long[] ases, int links, int[] anchors, int[] offsets, int[] firsts, int[] neighbours, int[] micros) {
        this.ases = ases;
        this.links = links;
        this.anchors = anchors;
        this.offsets = offsets;
        this.firsts = firsts;
        this.neighbours = neighbours;
        this.micros = micros;
    }

    /** Creates a builder of an empty graph. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the number of ASes. */
    public int size() {
        return ases.length;
    }

    /** Returns the number of links. */
    public int links() {
        return links;
    }

    /** Returns the number of the AS of a node, unsigned 32 bits. */
    public long as(int node) {
        return ases[node];
    }

    /** Returns the node of an AS; negative if it is not in the graph. */
    public int node(long as) {
        return Arrays.binarySearch(ases, as);
    }

    public int anchor(int node) {
        return anchors[node];
    }

    int anchorMicros(int node) {
        return offsets[node];
    }

    int arcs() {
        return neighbours.length;
    }

    int firstArc(int node) {
        return firsts[node];
    }

    int arcEnd(int node) {
        return firsts[node + 1];
    }

    int neighbour(int arc) {
        return neighbours[arc];
    }

    int micros(int arc) {
        return micros[arc];
    }

    /** Collects links. Not thread-safe. */
    public static final class Builder {
        private long[] left = new long[1024];
        private long[] right = new long[1024];
        private int[] latency = new int[1024];
        private int count;

        private Builder() {}

        /**
         * Adds a link; of several between the same two the fastest counts for paths.
         *
         * @param micros latency in microseconds, at least 1
         */
        public Builder link(long one, long other, int micros) {
            if (one == other || micros < 1) {
                throw new IllegalArgumentException("a link joins two ASes in 1 microsecond or more, not " + one + " and "
                        + other + " in " + micros);
            }
            if (count == left.length) {
                left = Arrays.copyOf(left, 2 * count);
                right = Arrays.copyOf(right, 2 * count);
                latency = Arrays.copyOf(latency, 2 * count);
            }
            left[count] = one;
            right[count] = other;
            latency[count++] = micros;
            return this;
        }

        /** Returns the number of links added. */
        public int size() {
            return count;
        }

        /** Returns the largest connected component of the graph; the builder stays as it is. */
        public AsGraph build() {
            long[] ases = distinct();
            int[] from = nodes(left, ases);
            int[] to = nodes(right, ases);
            int[] parts = parts(ases.length, from, to);
            int largest = largest(parts);
            Builder kept = new Builder();
            for (int i = 0; i < count; i++) {
                if (parts[from[i]] == largest) {
                    kept.link(left[i], right[i], latency[i]);
                }
            }
            return kept.count == count ? graph(ases, from, to) : kept.build();
        }

        private long[] distinct() {
            long[] all = Arrays.copyOf(left, 2 * count);
            System.arraycopy(right, 0, all, count, count);
            return Arrays.stream(all).sorted().distinct().toArray();
        }

        private int[] nodes(long[] of, long[] ases) {
            int[] nodes = new int[count];
            for (int i = 0; i < count; i++) {
                nodes[i] = Arrays.binarySearch(ases, of[i]);
            }
            return nodes;
        }

        /** Gives the nodes of each connected component the same number, by union-find. */
        private static int[] parts(int nodes, int[] from, int[] to) {
            int[] parts = new int[nodes];
            Arrays.setAll(parts, node -> node);
            for (int i = 0; i < from.length; i++) {
                parts[root(parts, from[i])] = root(parts, to[i]);
            }
            for (int i = 0; i < nodes; i++) {
                parts[i] = root(parts, i);
            }
            return parts;
        }

        private static int root(int[] parts, int node) {
            int at = node;
            while (parts[at] != at) {
                parts[at] = parts[parts[at]];
                at = parts[at];
            }
            return at;
        }

        private static int largest(int[] parts) {
            int[] sizes = new int[parts.length];
            int largest = 0;
            for (int part : parts) {
                sizes[part]++;
            }
            for (int i = 1; i < sizes.length; i++) {
                largest = sizes[i] > sizes[largest] ? i : largest;
            }
            return largest;
        }

        private AsGraph graph(long[] ases, int[] from, int[] to) {
            int nodes = ases.length;
            int[] degrees = new int[nodes];
            for (int i = 0; i < count; i++) {
                degrees[from[i]]++;
                degrees[to[i]]++;
            }
            int[] anchors = new int[nodes];
            Arrays.setAll(anchors, node -> node);
            int[] offsets = new int[nodes];
            int[] firsts = new int[nodes + 1];
            for (int i = 0; i < count; i++) {
                boolean fromLeaf = degrees[from[i]] == 1;
                boolean toLeaf = degrees[to[i]] == 1;
                if (fromLeaf == toLeaf) {
                    firsts[from[i] + 1]++;
                    firsts[to[i] + 1]++;
                } else {
                    int leaf = fromLeaf ? from[i] : to[i];
                    anchors[leaf] = fromLeaf ? to[i] : from[i];
                    offsets[leaf] = latency[i];
                }
            }
            for (int i = 0; i < nodes; i++) {
                firsts[i + 1] += firsts[i];
            }
            int[] next = Arrays.copyOf(firsts, nodes);
            int[] neighbours = new int[firsts[nodes]];
            int[] micros = new int[firsts[nodes]];
            for (int i = 0; i < count; i++) {
                if (anchors[from[i]] == from[i] && anchors[to[i]] == to[i]) {
                    int there = next[from[i]]++;
                    int back = next[to[i]]++;
                    neighbours[there] = to[i];
                    neighbours[back] = from[i];
                    micros[there] = latency[i];
                    micros[back] = latency[i];
                }
            }
            return new AsGraph(ases, count, anchors, offsets, firsts, neighbours, micros);
        }
    }
}
