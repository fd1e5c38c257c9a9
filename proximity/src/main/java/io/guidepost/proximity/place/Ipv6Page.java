package io.guidepost.proximity.place;

import io.guidepost.proximity.MatchRanges;
import java.util.Arrays;

/**
 * The places of one /16 of IPv6 as a lookup structure: a trie whose node is an array of places and children, cut where
 * neighbours differ, with one bit per slot that marks a cut before it. So the entry of a slot is found by counting
 * bits. The root takes 16 bits of address, down to the /32 that registries allocate; all other nodes take 8.
 *
 * <p>Nearly all announcements are no longer than /48, so two steps below the root are made unconditionally: a place
 * that is found already is kept by a mask. Why? A branch that depends on the depth is mispredicted with about every
 * lookup, and nothing after it starts before the memory has answered. Without it the lookups of a list wait for memory
 * together.
 *
 * <pre>
 * node at n   words[n + 2i], words[n + 2i + 1]   slots 64 i to 64 i + 63: where cuts are; half-words before the first one
 *             behind all of these                half-words, two in a long, the lower first: a child's n, or the
 *                                                complement of a place
 * </pre>
 *
 * <p>The root is at 0 and has 1,024 such pairs; any other node has 4, which is a cache line, and its entries are in the
 * next line, which the processor prefetches. Addresses are without the 16 bits of the page, left-aligned, as
 * {@link Ipv6Pages} has them. Immutable.
 */
final class Ipv6Page {
    private static final int ROOT_BITS = 16;
    private static final int NODE_BITS = 8;
    private static final int WORD_BITS = 6;

    private Ipv6Page() {}

    /** Returns the place of an address of this page. */
    static int find(long[] words, long high, long low) {
        int found = at(words, (int) (high >>> 37) & 2046, high >>> 32);
        found = next(words, found, high >>> 24);
        found = next(words, found, high >>> 16);
        return found < 0 ? ~found : deep(words, found, high, low);
    }

    /** Returns the entry of a slot, whose pair is given; the last six bits of the slot count. */
    private static int at(long[] words, int pair, long slot) {
        long cuts = words[pair] & (2L << slot) - 1;
        int half = (int) words[pair + 1] + Long.bitCount(cuts);
        return (int) (words[half >>> 1] >>> (half << 5));
    }

    /** Returns the pair of a node for a slot; the last eight bits of the slot count. */
    private static int pair(int node, long slot) {
        return node + ((int) (slot >>> WORD_BITS - 1) & 6);
    }

    /** Returns the next entry if there is one, else the entry found so far. The last eight bits of the slot count. */
    private static int next(long[] words, int found, long slot) {
        int place = found >> 31;
        return found & place | at(words, pair(found, slot) & ~place, slot) & ~place;
    }

    private static int deep(long[] words, int child, long high, long low) {
        int found = child;
        int shift = 8;
        long word = high;
        while (found >= 0) {
            long slot = word >>> shift;
            found = at(words, pair(found, slot), slot);
            word = shift == 0 ? low : word;
            shift = shift == 0 ? Long.SIZE - NODE_BITS : shift - NODE_BITS;
        }
        return ~found;
    }

    /** Builds a page from ranges. */
    static long[] of(MatchRanges ranges) {
        Builder builder = new Builder(ranges);
        builder.node(0, 0, 0, 0);
        return Arrays.copyOf(builder.words, builder.used);
    }

    /** Walks the ranges and not the slots, as most slots equal the one before. */
    private static final class Builder {
        private final MatchRanges ranges;
        private long[] words = new long[4 << ROOT_BITS - WORD_BITS];
        private int used;

        Builder(MatchRanges ranges) {
            this.ranges = ranges;
        }

        /**
         * Builds a node and its children.
         *
         * @param high first 64 bits of its first address
         * @param low last 64 bits
         * @param depth bits of address before those that it chooses by
         * @param firstRange the range of its first address
         * @return its offset
         */
        private int node(long high, long low, int depth, int firstRange) {
            int bits = depth == 0 ? ROOT_BITS : NODE_BITS;
            boolean inHigh = depth < Long.SIZE;
            int shift = (inHigh ? Long.SIZE : 2 * Long.SIZE) - depth - bits;
            long rest = (1L << shift) - 1;
            long[] cuts = new long[1 << bits - WORD_BITS];
            int[] halves = new int[1 << NODE_BITS];
            int count = 0;
            int range = firstRange;
            for (int slot = 0; slot < 1 << bits; count++) {
                long slotHigh = inHigh ? high | (long) slot << shift : high;
                long slotLow = inHigh ? low : low | (long) slot << shift;
                while (range + 1 < ranges.size && !isBehind(range + 1, slotHigh, slotLow)) {
                    range++;
                }
                cuts[slot >>> WORD_BITS] |= 1L << slot;
                halves = count == halves.length ? Arrays.copyOf(halves, 2 * count) : halves;
                if (isBehind(range + 1, inHigh ? slotHigh | rest : slotHigh, inHigh ? -1 : slotLow | rest)) {
                    halves[count] = ~ranges.kind[range];
                    slot = slotOf(range + 1, high, low, shift, inHigh, 1 << bits);
                } else {
                    halves[count] = range;
                    slot++;
                }
            }
            int node = allocate(2 * cuts.length + (count + 1) / 2);
            int before = 2 * (node + 2 * cuts.length) - 1;
            for (int i = 0; i < cuts.length; i++) {
                words[node + 2 * i] = cuts[i];
                words[node + 2 * i + 1] = before;
                before += Long.bitCount(cuts[i]);
            }
            int at = 0;
            for (int i = 0; i < cuts.length; i++) {
                for (long left = cuts[i]; left != 0; left &= left - 1, at++) {
                    long slot = (long) (i << WORD_BITS) + Long.numberOfTrailingZeros(left);
                    int half = halves[at] < 0
                            ? halves[at]
                            : node(
                                    inHigh ? high | slot << shift : high,
                                    inHigh ? low : low | slot << shift,
                                    depth + bits,
                                    halves[at]);
                    words[node + 2 * cuts.length + (at >>> 1)] |= (half & 0xffffffffL) << (at << 5);
                }
            }
            return node;
        }

        private int allocate(int longs) {
            int at = used;
            used += longs;
            if (used > words.length) {
                words = Arrays.copyOf(words, Math.max(used, 2 * words.length));
            }
            return at;
        }

        /** Returns the slot in which a range starts that starts in a node or after it. */
        private int slotOf(int range, long high, long low, int shift, boolean inHigh, int slots) {
            if (range == ranges.size) {
                return slots;
            }
            long above = inHigh ? 0 : ranges.startHigh[range] - high;
            long slot = inHigh ? ranges.startHigh[range] - high >>> shift : ranges.startLow[range] - low >>> shift;
            return above != 0 || Long.compareUnsigned(slot, slots) >= 0 ? slots : (int) slot;
        }

        /** Returns whether a range starts after an address. */
        private boolean isBehind(int range, long high, long low) {
            if (range == ranges.size) {
                return true;
            }
            int order = Long.compareUnsigned(ranges.startHigh[range], high);
            return order > 0 || order == 0 && Long.compareUnsigned(ranges.startLow[range], low) > 0;
        }
    }
}
