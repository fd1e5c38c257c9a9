package io.guidepost.lab.dmap;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.proximity.PrefixTable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The number of IPv4 addresses that each node of a graph announces: each address counts for its longest prefix alone.
 */
final class AddressSpace {
    private AddressSpace() {}

    private record Block(long end, int node) {}

    /**
     * Returns the addresses by node; those of ASes outside the graph count for the enclosing block, as in placement.
     */
    static long[] of(PrefixTable table, AsGraph graph) {
        long[] space = new long[graph.size()];
        Deque<Block> open = new ArrayDeque<>();
        long at = 0;
        for (int i = 0; i < table.ipv4Size(); i++) {
            PrefixTable.Entry entry = table.entry(i);
            int node = graph.node(entry.value());
            if (node < 0) {
                continue;
            }
            Prefix prefix = entry.prefix();
            long base = prefix.low() - Addresses.ipv4Low(0);
            at = close(open, at, base, space);
            if (!open.isEmpty()) {
                space[open.getFirst().node] += base - at;
            }
            at = base;
            open.addFirst(new Block(base + (1L << 128 - prefix.length()), node));
        }
        close(open, at, Long.MAX_VALUE, space);
        return space;
    }

    /** Counts up to the ends of the blocks that end before an address; returns the position reached. */
    private static long close(Deque<Block> open, long from, long before, long[] space) {
        long at = from;
        while (!open.isEmpty() && open.getFirst().end <= before) {
            Block block = open.removeFirst();
            space[block.node] += block.end - at;
            at = block.end;
        }
        return at;
    }
}
