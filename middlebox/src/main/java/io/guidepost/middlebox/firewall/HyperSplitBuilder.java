package io.guidepost.middlebox.firewall;

import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Builds the trees of {@link HyperSplitClassifier}: repeatedly splits the part of the space with the most entries, at
 * the number that leaves the fewest on its fuller side, until all are small, no split helps, or the bound of replicas
 * is reached.
 */
final class HyperSplitBuilder {
    private static final int DIMENSIONS = 7;

    /** An address range is wide from 2^104 addresses, 2^24 of IPv4's: prefixes up to /8, or IPv6's up to /24. */
    private static final int NARROW_LENGTH_MIN = 9;

    private static final int NARROW_IPV6_LENGTH_MIN = 25;
    private final RuleTable table;
    private final long[] low;
    private final long[] high;
    private final long placesMax;
    private long places;
    private long[] split = new long[64];
    private int[] child = new int[64];
    private byte[] dimension = new byte[64];
    private int[][] held = new int[64][];
    private int nodes;

    /** A node that may be split: its part of the space and the entries that reach into it. */
    private record Part(int node, int[] entries, long[] low, long[] high) {}

    /** A possible split; a lower cost is better. */
    private record Split(int dimension, long at, long cost) {}

    HyperSplitBuilder(RuleTable table) {
        this.table = table;
        this.low = new long[table.size() * DIMENSIONS];
        this.high = new long[table.size() * DIMENSIONS];
        this.placesMax = 1024 + (long) FirewallLimits.REPEATS_MAX * table.size();
        for (int i = 0; i < table.size(); i++) {
            bounds(i);
        }
    }

    private void bounds(int entry) {
        int at = entry * DIMENSIONS;
        range(at + PacketKeys.SOURCE_HIGH, table.at(entry, 6), table.at(entry, 7));
        range(at + PacketKeys.SOURCE_LOW, table.at(entry, 0), table.at(entry, 1));
        range(at + PacketKeys.DESTINATION_HIGH, table.at(entry, 8), table.at(entry, 9));
        range(at + PacketKeys.DESTINATION_LOW, table.at(entry, 2), table.at(entry, 3));
        long lowest = table.at(entry, RuleTable.LOWEST);
        long highest = table.at(entry, RuleTable.HIGHEST) - 2 * PacketFacts.GUARDS;
        field(at + PacketKeys.SOURCE_PORT, lowest, highest, PacketFacts.SOURCE_PORT, 0xffff);
        field(at + PacketKeys.DESTINATION_PORT, lowest, highest, PacketFacts.DESTINATION_PORT, 0xffff);
        field(at + PacketKeys.PROTOCOL, lowest, highest, PacketFacts.PROTOCOL, 0xff);
    }

    /** Converts a value with inverted highest bit, and its mask, to a range of signed numbers. */
    private void range(int at, long value, long mask) {
        low[at] = mask == 0 ? Long.MIN_VALUE : value & mask;
        high[at] = mask == 0 ? Long.MAX_VALUE : value & mask | ~mask;
    }

    private void field(int at, long lowest, long highest, int shift, long mask) {
        low[at] = lowest >>> shift & mask;
        high[at] = highest >>> shift & mask;
    }

    HyperSplitClassifier.Parts build() {
        List<List<Integer>> groups = List.of(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < table.size(); i++) {
            groups.get((isWide(i, 7, 1) ? 2 : 0) + (isWide(i, 9, 3) ? 1 : 0)).add(i);
        }
        List<int[]> roots = new ArrayList<>();
        PriorityQueue<Part> open = new PriorityQueue<>(
                Comparator.comparingInt((Part part) -> part.entries().length).reversed());
        groups.stream()
                .filter(group -> !group.isEmpty())
                .sorted(Comparator.comparing(List::getFirst))
                .forEach(group -> {
                    int[] entries = group.stream().mapToInt(Integer::intValue).toArray();
                    roots.add(new int[] {addNode(entries), entries[0]});
                    long[] lowest = new long[DIMENSIONS];
                    long[] highest = new long[DIMENSIONS];
                    Arrays.fill(lowest, Long.MIN_VALUE);
                    Arrays.fill(highest, Long.MAX_VALUE);
                    open.add(new Part(roots.getLast()[0], entries, lowest, highest));
                    places += entries.length;
                });
        while (!open.isEmpty() && open.peek().entries().length > FirewallLimits.LEAF_BOXES && places < placesMax) {
            divide(open.poll(), open);
        }
        return parts(roots);
    }

    private boolean isWide(int entry, int highMask, int lowMask) {
        int length = Long.bitCount(table.at(entry, highMask)) + Long.bitCount(table.at(entry, lowMask));
        return table.fitsIpv6(entry) ? length < NARROW_IPV6_LENGTH_MIN : length < Prefix.IPV4_BITS_BEFORE + NARROW_LENGTH_MIN;
    }

    private int addNode(int[] entries) {
        if (nodes == child.length) {
            split = Arrays.copyOf(split, 2 * nodes);
            child = Arrays.copyOf(child, 2 * nodes);
            dimension = Arrays.copyOf(dimension, 2 * nodes);
            held = Arrays.copyOf(held, 2 * nodes);
        }
        dimension[nodes] = -1;
        held[nodes] = entries;
        return nodes++;
    }

    private void divide(Part part, PriorityQueue<Part> open) {
        Split best = best(part);
        if (best == null) {
            return;
        }
        int at = best.dimension();
        long[] leftHigh = part.high().clone();
        long[] rightLow = part.low().clone();
        leftHigh[at] = best.at();
        rightLow[at] = best.at() + 1;
        int[] left = reaching(part.entries(), part.low(), leftHigh);
        int[] right = reaching(part.entries(), rightLow, part.high());
        places += (long) left.length + right.length - part.entries().length;
        int first = addNode(left);
        addNode(right);
        split[part.node()] = best.at();
        dimension[part.node()] = (byte) at;
        child[part.node()] = first;
        held[part.node()] = new int[0];
        open.add(new Part(first, left, part.low(), leftHigh));
        open.add(new Part(first + 1, right, rightLow, part.high()));
    }

    private @org.jspecify.annotations.Nullable Split best(Part part) {
        Split best = null;
        int number = part.entries().length;
        long[] edges = new long[2 * number];
        for (int d = 0; d < DIMENSIONS; d++) {
            int count = edges(part, d, edges);
            Arrays.sort(edges, 0, count);
            for (int quarter = 1; quarter <= 3 && count > 0; quarter++) {
                long at = edges[Math.min(count - 1, count * quarter / 4)];
                long cost = cost(part.entries(), d, at);
                if (cost < 4L * number && (best == null || cost < best.cost())) {
                    best = new Split(d, at, cost);
                }
            }
        }
        return best;
    }

    /** Returns the box boundaries of a part in a dimension. */
    private int edges(Part part, int d, long[] edges) {
        int count = 0;
        for (int entry : part.entries()) {
            int at = entry * DIMENSIONS + d;
            if (low[at] > part.low()[d]) {
                edges[count++] = low[at] - 1;
            }
            if (high[at] < part.high()[d]) {
                edges[count++] = high[at];
            }
        }
        return count;
    }

    /** Returns three times the fuller side plus both sides; at least four times the entries if the split is useless. */
    private long cost(int[] entries, int d, long at) {
        int left = 0;
        int right = 0;
        for (int entry : entries) {
            left += low[entry * DIMENSIONS + d] <= at ? 1 : 0;
            right += high[entry * DIMENSIONS + d] > at ? 1 : 0;
        }
        int fuller = Math.max(left, right);
        return fuller == entries.length ? Long.MAX_VALUE : 3L * fuller + (left + right - entries.length);
    }

    /**
     * Returns the entries that reach into a part, up to the first that covers it completely: no later one can match
     * first.
     */
    private int[] reaching(int[] entries, long[] partLow, long[] partHigh) {
        int[] found = new int[entries.length];
        int count = 0;
        for (int entry : entries) {
            if (reaches(entry, partLow, partHigh)) {
                found[count++] = entry;
                if (covers(entry, partLow, partHigh)) {
                    break;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    private boolean reaches(int entry, long[] partLow, long[] partHigh) {
        for (int d = 0; d < DIMENSIONS; d++) {
            int at = entry * DIMENSIONS + d;
            if (low[at] > partHigh[d] || high[at] < partLow[d]) {
                return false;
            }
        }
        return true;
    }

    private boolean covers(int entry, long[] partLow, long[] partHigh) {
        long others = PacketFacts.HAS_PORTS | PacketFacts.ESTABLISHED | PacketFacts.LATER_FRAGMENT | PacketFacts.IPV6;
        if ((table.at(entry, RuleTable.LOWEST) & others) != 0) {
            return false;
        }
        for (int d = 0; d < DIMENSIONS; d++) {
            int at = entry * DIMENSIONS + d;
            boolean isAll = d < PacketKeys.SOURCE_PORT
                    ? low[at] <= partLow[d] && high[at] >= partHigh[d]
                    : low[at] <= Math.max(partLow[d], 0) && high[at] >= Math.min(partHigh[d], highestOf(d));
            if (!isAll) {
                return false;
            }
        }
        return true;
    }

    private static long highestOf(int d) {
        return d == PacketKeys.PROTOCOL ? 0xff : 0xffff;
    }

    private HyperSplitClassifier.Parts parts(List<int[]> roots) {
        int total = 0;
        for (int i = 0; i < nodes; i++) {
            total += dimension[i] < 0 ? held[i].length + 1 : 0;
        }
        int[] leaves = new int[total];
        int at = 0;
        for (int i = 0; i < nodes; i++) {
            if (dimension[i] < 0) {
                child[i] = at;
                leaves[at++] = held[i].length;
                System.arraycopy(held[i], 0, leaves, at, held[i].length);
                at += held[i].length;
            }
        }
        return new HyperSplitClassifier.Parts(
                Arrays.copyOf(split, nodes),
                Arrays.copyOf(child, nodes),
                Arrays.copyOf(dimension, nodes),
                leaves,
                roots.stream().mapToInt(each -> each[0]).toArray(),
                roots.stream().mapToInt(each -> each[1]).toArray());
    }
}
