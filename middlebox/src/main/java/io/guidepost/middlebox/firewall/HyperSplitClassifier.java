package io.guidepost.middlebox.firewall;

/**
 * HyperSplit: decision trees, in which 10,000 rules cost little more than 100.
 *
 * <p>A rule is a box in seven dimensions: the halves of two addresses, two ports, the protocol. A node compares one of
 * them with one number (HyperSplit: Qi, Xu, Yang, Xue, Li, "Packet Classification Algorithms: From Theory to Practice",
 * INFOCOM 2009, a successor of Gupta's and McKeown's HiCuts). A leaf has the few entries whose boxes reach into its
 * part of the space, in order, and is searched linearly. Wide boxes reach into many parts: so rules are first divided
 * into four trees by whether source and destination are wide (EffiCuts: Vamanan, Voskuilen, Vijaykumar, SIGCOMM 2010),
 * and replication in leaves is bounded. A tree whose first rule is behind the best match so far is skipped.
 *
 * <pre>
 *  node:  split[n], what is not above goes to child[n], else to child[n] + 1; dimension[n], -1 in a leaf
 *  leaf:  child[n] is where its entries begin in leaves: first how many, then each entry
 * </pre>
 */
final class HyperSplitClassifier implements PacketClassifier {
    private final int rules;
    private final long[] entries;
    private final int[] rule;
    private final long[] split;
    private final int[] child;
    private final byte[] dimension;
    private final int[] leaves;
    private final int[] roots;
    private final int[] firstEntry;

    /** The arrays of a built tree. */
    record Parts(
            long[] split, int[] child, byte[] dimension, int[] leaves, int[] roots, int[] firstEntry) {}

    HyperSplitClassifier(RuleTable table) {
        this.rules = table.rules();
        int[] all = new int[table.size()];
        this.rule = new int[table.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
            rule[i] = table.rule(i);
        }
        this.entries = table.copy(all);
        Parts parts = new HyperSplitBuilder(table).build();
        this.split = parts.split();
        this.child = parts.child();
        this.dimension = parts.dimension();
        this.leaves = parts.leaves();
        this.roots = parts.roots();
        this.firstEntry = parts.firstEntry();
    }

    @Override
    public void match(PacketKeys keys) {
        int count = keys.count();
        for (int i = 0; i < count; i++) {
            if (keys.isIp(i)) {
                find(keys, i);
            }
        }
    }

    /** Classifies IPv6 packets only. */
    void matchIpv6(PacketKeys keys) {
        int count = keys.count();
        for (int i = 0; i < count; i++) {
            if (keys.isIpv6(i)) {
                find(keys, i);
            }
        }
    }

    private void find(PacketKeys keys, int index) {
        int entry = first(keys.rows, index << PacketKeys.ROW_SHIFT);
        keys.found[index] = entry == Integer.MAX_VALUE ? rules : rule[entry];
    }

    /** Returns the first matching entry; the highest number if there is none. */
    private int first(long[] rows, int row) {
        int best = Integer.MAX_VALUE;
        for (int i = 0; i < roots.length && firstEntry[i] < best; i++) {
            best = Math.min(best, inLeaf(leaf(roots[i], rows, row), best, rows, row));
        }
        return best;
    }

    private int leaf(int root, long[] rows, int row) {
        int node = root;
        int compared = dimension[node];
        while (compared >= 0) {
            node = child[node] + (rows[row + compared] > split[node] ? 1 : 0);
            compared = dimension[node];
        }
        return child[node];
    }

    private int inLeaf(int at, int best, long[] rows, int row) {
        int end = at + leaves[at];
        for (int i = at + 1; i <= end; i++) {
            int entry = leaves[i];
            if (entry >= best || RuleTable.fits(entries, entry * RuleTable.ENTRY_LONGS, rows, row)) {
                return entry;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean wantsRows() {
        return true;
    }

    /** Returns its approximate memory in bytes. */
    long bytes() {
        return 8L * (entries.length + split.length)
                + 4L * (rule.length + child.length + leaves.length)
                + dimension.length;
    }
}
