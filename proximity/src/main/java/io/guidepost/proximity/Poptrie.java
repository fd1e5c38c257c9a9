package io.guidepost.proximity;

import java.util.Arrays;

/**
 * Longest-prefix match in a few megabytes, so that it stays in the processor's cache: a poptrie (Asai and Ohara,
 * "Poptrie: A Compressed Trie with Population Count for Fast and Scalable Software IP Routing Table Lookup", SIGCOMM
 * 2015).
 *
 * <p>The first bits of an address index an array; after them, six bits at a time choose among the 64 slots of a node. A
 * node keeps two words: which slots lead to a child, and at which slots the class of a leaf differs from that of the
 * leaf before. Children of a node lie side by side, and so do its leaves, so the number of one bits up to a slot is its
 * index among them. A 24-bit array would be a little faster where it is in cache; hashed addresses, which placement
 * looks up, would miss the cache with nearly every lookup.
 *
 * <pre>
 * node i:  words[3i]     bit s set: slot s leads to a child
 *          words[3i+1]   bit s set: a run of leaves of one class starts at slot s
 *          words[3i+2]   first child (upper 32 bits), first leaf (lower 32 bits)
 * </pre>
 *
 * <p>Addresses are left-aligned in 128 bits: of an IPv4 address, which fills 32, nothing after the first word is read.
 */
public final class Poptrie {
    private static final int CHUNK_BITS = 6;
    private static final int SLOTS = 1 << CHUNK_BITS;

    /** First bits for IPv4: 1 MiB of array, and a /24 is found in the first node below. */
    static final int IPV4_DIRECT_BITS = 18;

    /** First bits for IPv6: eight nodes then end exactly where the first word does. */
    static final int IPV6_DIRECT_BITS = 16;

    private final int directBits;

    /** A node if not negative, else the complement of a class. */
    private final int[] direct;

    private long[] words = new long[1 << 12];
    private int nodes;
    private int[] leaves = new int[1 << 12];
    private int leafCount;

    private Poptrie(int directBits) {
        this.directBits = directBits;
        this.direct = new int[1 << directBits];
    }

    /** Returns the class of an address; 0 if no prefix matches. */
    public int find(long high, long low) {
        int at = direct[(int) (high >>> (Long.SIZE - directBits))];
        long rest = high << directBits;
        int bits = Long.SIZE - directBits;
        while (at >= 0) {
            int slot = (int) (rest >>> (Long.SIZE - CHUNK_BITS));
            long upTo = (2L << slot) - 1;
            long children = words[3 * at];
            long first = words[3 * at + 2];
            if ((children >>> slot & 1) == 0) {
                return leaves[(int) first + Long.bitCount(words[3 * at + 1] & upTo) - 1];
            }
            at = (int) (first >>> 32) + Long.bitCount(children & upTo) - 1;
            rest <<= CHUNK_BITS;
            bits -= CHUNK_BITS;
            if (bits == 0) {
                rest = low;
            }
        }
        return ~at;
    }

    /** Returns the bytes of the structure. */
    public long bytes() {
        return 4L * direct.length + 8L * words.length + 4L * leaves.length;
    }

    /** Builds the trie of an address space that is cut into ranges. */
    public static Poptrie of(MatchRanges ranges, int directBits) {
        Poptrie trie = new Poptrie(directBits);
        if (ranges.size == 1) {
            Arrays.fill(trie.direct, ~ranges.kind[0]);
        } else {
            new Builder(trie, ranges).build();
        }
        trie.words = Arrays.copyOf(trie.words, 3 * trie.nodes);
        trie.leaves = Arrays.copyOf(trie.leaves, trie.leafCount);
        return trie;
    }

    private int allocate(int count) {
        int first = nodes;
        nodes += count;
        if (3 * nodes > words.length) {
            words = Arrays.copyOf(words, Math.max(3 * nodes, 2 * words.length));
        }
        return first;
    }

    private void leaf(int kind) {
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, 2 * leafCount);
        }
        leaves[leafCount++] = kind;
    }

    /** Walks the ranges in step with the slots: a slot that lies within one range is a leaf, any other has a child. */
    private static final class Builder {
        private final Poptrie trie;
        private final MatchRanges ranges;

        Builder(Poptrie trie, MatchRanges ranges) {
            this.trie = trie;
            this.ranges = ranges;
        }

        void build() {
            int bits = Long.SIZE - trie.directBits;
            int range = 0;
            for (int i = 0; i < trie.direct.length; i++) {
                long high = (long) i << bits;
                range = rangeOf(high, 0, range);
                if (within(range, high | (1L << bits) - 1, -1)) {
                    trie.direct[i] = ~ranges.kind[range];
                } else {
                    int node = trie.allocate(1);
                    trie.direct[i] = node;
                    fill(node, high, 0, trie.directBits, range);
                }
            }
        }

        /** Fills a node whose slots choose by the six bits after {@code depth}; its first address is given. */
        private void fill(int node, long high, long low, int depth, int firstRange) {
            int shift = 128 - depth - CHUNK_BITS;
            long children = 0;
            long runs = 0;
            int firstLeaf = trie.leafCount;
            int range = firstRange;
            int run = -1;
            for (int slot = 0; slot < SLOTS; slot++) {
                long slotHigh = high | highPart(slot, shift);
                long slotLow = low | lowPart(slot, shift);
                range = rangeOf(slotHigh, slotLow, range);
                if (!within(range, slotHigh | highRest(shift), slotLow | lowRest(shift))) {
                    children |= 1L << slot;
                } else if (ranges.kind[range] != run) {
                    run = ranges.kind[range];
                    runs |= 1L << slot;
                    trie.leaf(run);
                }
            }
            int firstChild = trie.allocate(Long.bitCount(children));
            trie.words[3 * node] = children;
            trie.words[3 * node + 1] = runs;
            trie.words[3 * node + 2] = (long) firstChild << 32 | firstLeaf;
            fillChildren(children, firstChild, high, low, depth, firstRange);
        }

        private void fillChildren(long children, int firstChild, long high, long low, int depth, int firstRange) {
            int shift = 128 - depth - CHUNK_BITS;
            int range = firstRange;
            int child = firstChild;
            for (long left = children; left != 0; left &= left - 1) {
                int slot = Long.numberOfTrailingZeros(left);
                long slotHigh = high | highPart(slot, shift);
                long slotLow = low | lowPart(slot, shift);
                range = rangeOf(slotHigh, slotLow, range);
                fill(child++, slotHigh, slotLow, depth + CHUNK_BITS, range);
            }
        }

        // A slot number stands at bit 'shift' of the 128. Six bits never straddle the two words. In the last node of
        // all only four bits of address are left: the shift is then -2, and its slots come in fours of the same address.

        private static long highPart(long slot, int shift) {
            return shift >= Long.SIZE ? slot << (shift - Long.SIZE) : 0;
        }

        private static long lowPart(long slot, int shift) {
            return shift >= Long.SIZE ? 0 : shift >= 0 ? slot << shift : slot >>> -shift;
        }

        private static long highRest(int shift) {
            return shift >= Long.SIZE ? (1L << (shift - Long.SIZE)) - 1 : 0;
        }

        private static long lowRest(int shift) {
            return shift >= Long.SIZE ? -1 : shift > 0 ? (1L << shift) - 1 : 0;
        }

        /** Returns the range of an address, sought from one that starts no later. */
        private int rangeOf(long high, long low, int from) {
            int range = from;
            while (range + 1 < ranges.size && compare(range + 1, high, low) <= 0) {
                range++;
            }
            return range;
        }

        private boolean within(int range, long lastHigh, long lastLow) {
            return range + 1 == ranges.size || compare(range + 1, lastHigh, lastLow) > 0;
        }

        private int compare(int range, long high, long low) {
            int order = Long.compareUnsigned(ranges.startHigh[range], high);
            return order != 0 ? order : Long.compareUnsigned(ranges.startLow[range], low);
        }
    }
}
