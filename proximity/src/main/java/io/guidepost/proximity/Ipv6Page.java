package io.guidepost.proximity;

import java.util.Arrays;

/**
 * The places of one /16 of IPv6, as look-ups want them: a trie of which a node is an array of places and children, cut where
 * neighbours differ, with one bit for each slot that says whether a cut is before it. So what stands at a slot is found by
 * counting bits. The root takes 16 bits of address, which leads to the /32 that registries give away; all others take 8.
 *
 * <p>Nearly all that is announced is no longer than /48, so two steps behind the root are made without asking whether they
 * are needed: a place that is found already is kept by a mask. Why so? A branch that depends on the depth is guessed wrongly
 * with about every look-up, and nothing behind it begins before the memory has answered. Without it the look-ups of a list
 * wait for memory together.
 *
 * <pre>
 * words[2p], words[2p + 1]   64 slots of a node: where cuts are; half-words before the first one
 * behind all of these        half-words, two in a long, the lower first: a child's p, or the complement of a place
 * </pre>
 *
 * The root begins at p = 0 and has 1,024 such pairs, any other node has 4, which is as much as a line of the cache holds.
 * Addresses are without the 16 bits of the page, left-aligned, as {@link Ipv6Pages} has them. Immutable.
 */
final class Ipv6Page {
    private static final int ROOT_BITS = 16;
    private static final int NODE_BITS = 8;
    private static final int WORD_BITS = 6;

    private Ipv6Page() {}

    /** The place of an address of this page. */
    static int find(long[] words, long high, long low) {
        int found = at(words, (int) (high >>> 38) & 1023, high >>> 32);
        found = next(words, found, high >>> 24);
        found = next(words, found, high >>> 16);
        return found < 0 ? ~found : deep(words, found, high, low);
    }

    /** What stands at a slot; of it the last six bits count. */
    private static int at(long[] words, int pair, long slot) {
        long cuts = words[2 * pair] & (2L << slot) - 1;
        int half = (int) words[2 * pair + 1] + Long.bitCount(cuts);
        return (int) (words[half >>> 1] >>> (half << 5));
    }

    /** The next step, where there is one: else what was found stays. The last eight bits of the slot count. */
    private static int next(long[] words, int found, long slot) {
        int place = found >> 31;
        int pair = found + (int) (slot >>> WORD_BITS & 3) & ~place;
        return found & place | at(words, pair, slot) & ~place;
    }

    private static int deep(long[] words, int child, long high, long low) {
        int found = child;
        int shift = 8;
        long word = high;
        while (found >= 0) {
            long slot = word >>> shift;
            found = at(words, found + (int) (slot >>> WORD_BITS & 3), slot);
            word = shift == 0 ? low : word;
            shift = shift == 0 ? Long.SIZE - NODE_BITS : shift - NODE_BITS;
        }
        return ~found;
    }

    /** Makes a page of ranges. */
    static long[] of(Ranges ranges) {
        Builder builder = new Builder(ranges);
        builder.node(0, 0, 0, 0, 0);
        return builder.finish();
    }

    /** Walks the ranges, not the slots, most of which are like the one before. */
    private static final class Builder {
        private final Ranges ranges;
        private long[] pairs = new long[2 << ROOT_BITS - WORD_BITS];
        private int used = 1 << ROOT_BITS - WORD_BITS;
        private int[] halves = new int[1 << 10];
        private int count;

        Builder(Ranges ranges) {
            this.ranges = ranges;
        }

        long[] finish() {
            long[] words = Arrays.copyOf(pairs, 2 * used + (count + 1) / 2);
            for (int pair = 0; pair < used; pair++) {
                words[2 * pair + 1] += 4L * used;
            }
            for (int i = 0; i < count; i++) {
                words[2 * used + (i >>> 1)] |= (halves[i] & 0xffffffffL) << (i << 5);
            }
            return words;
        }

        private int half(int value) {
            if (count == halves.length) {
                halves = Arrays.copyOf(halves, 2 * count);
            }
            halves[count] = value;
            return count++;
        }

        private int allocate() {
            int pair = used;
            used += 1 << NODE_BITS - WORD_BITS;
            if (2 * used > pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * pairs.length);
            }
            return pair;
        }

        /** Fills a node, whose first address and its range are given, and which chooses by the bits after {@code depth}. */
        private void node(int pair, long high, long low, int depth, int firstRange) {
            int bits = depth == 0 ? ROOT_BITS : NODE_BITS;
            boolean inHigh = depth < Long.SIZE;
            int shift = (inHigh ? Long.SIZE : 2 * Long.SIZE) - depth - bits;
            long rest = (1L << shift) - 1;
            int first = count;
            int range = firstRange;
            int slot = 0;
            while (slot < 1 << bits) {
                long slotHigh = inHigh ? high | (long) slot << shift : high;
                long slotLow = inHigh ? low : low | (long) slot << shift;
                while (range + 1 < ranges.size && !isBehind(range + 1, slotHigh, slotLow)) {
                    range++;
                }
                pairs[2 * (pair + (slot >>> WORD_BITS))] |= 1L << slot;
                if (isBehind(range + 1, inHigh ? slotHigh | rest : slotHigh, inHigh ? -1 : slotLow | rest)) {
                    half(~ranges.kind[range]);
                    slot = slotOf(range + 1, high, low, shift, inHigh, 1 << bits);
                } else {
                    half(range);
                    slot++;
                }
            }
            int before = first - 1;
            for (int i = pair; i < pair + (1 << bits - WORD_BITS); i++) {
                pairs[2 * i + 1] = before;
                before += Long.bitCount(pairs[2 * i]);
            }
            children(pair, high, low, depth, first);
        }

        /** Makes the children of a node, in whose stead their first ranges stand so far. */
        private void children(int pair, long high, long low, int depth, int first) {
            int bits = depth == 0 ? ROOT_BITS : NODE_BITS;
            boolean inHigh = depth < Long.SIZE;
            int shift = (inHigh ? Long.SIZE : 2 * Long.SIZE) - depth - bits;
            int half = first;
            for (int i = 0; i < 1 << bits - WORD_BITS; i++) {
                for (long cuts = pairs[2 * (pair + i)]; cuts != 0; cuts &= cuts - 1) {
                    if (halves[half] >= 0) {
                        long slot = (long) (i << WORD_BITS) + Long.numberOfTrailingZeros(cuts);
                        int range = halves[half];
                        int child = allocate();
                        halves[half] = child;
                        node(
                                child,
                                inHigh ? high | slot << shift : high,
                                inHigh ? low : low | slot << shift,
                                depth + bits,
                                range);
                    }
                    half++;
                }
            }
        }

        /** The slot where a range starts that starts in a node or behind it. */
        private int slotOf(int range, long high, long low, int shift, boolean inHigh, int slots) {
            if (range == ranges.size) {
                return slots;
            }
            long above = inHigh ? 0 : ranges.startHigh[range] - high;
            long slot = inHigh ? ranges.startHigh[range] - high >>> shift : ranges.startLow[range] - low >>> shift;
            return above != 0 || Long.compareUnsigned(slot, slots) >= 0 ? slots : (int) slot;
        }

        /** Whether a range starts behind an address. */
        private boolean isBehind(int range, long high, long low) {
            if (range == ranges.size) {
                return true;
            }
            int order = Long.compareUnsigned(ranges.startHigh[range], high);
            return order > 0 || order == 0 && Long.compareUnsigned(ranges.startLow[range], low) > 0;
        }
    }
}
