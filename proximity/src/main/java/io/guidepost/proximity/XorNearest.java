package io.guidepost.proximity;

import java.util.Arrays;

/**
 * Finds among 32-bit keys the one with the least XOR to an address: the key at which a PATRICIA trie walk ends. Keys
 * are sorted and cut into 65,536 buckets by their upper half; the search halves a bucket bit by bit, each time keeping
 * the half that agrees with the address where it has one. Immutable; finding allocates nothing.
 */
public final class XorNearest {
    private static final int BUCKETS = 1 << 16;

    /** Keys in unsigned order. */
    private final int[] keys;

    /** Where each bucket starts among the keys, and after the last, where it ends. */
    private final int[] starts = new int[BUCKETS + 1];

    private XorNearest(int[] keys) {
        this.keys = keys;
        int bucket = 0;
        for (int i = 0; i < keys.length; i++) {
            for (; bucket <= keys[i] >>> 16; bucket++) {
                starts[bucket] = i;
            }
        }
        Arrays.fill(starts, bucket, BUCKETS + 1, keys.length);
    }

    /**
     * Takes keys that are sorted in unsigned order and are all different.
     *
     * @throws IllegalArgumentException if they are not
     */
    public static XorNearest of(int[] keys) {
        for (int i = 1; i < keys.length; i++) {
            if (Integer.compareUnsigned(keys[i - 1], keys[i]) >= 0) {
                throw new IllegalArgumentException("keys must rise: " + i);
            }
        }
        return new XorNearest(keys.clone());
    }

    /** How many keys there are. */
    public int size() {
        return keys.length;
    }

    /** The key at a place in the order. */
    public int key(int at) {
        return keys[at];
    }

    /** The place of the key that is nearest to an address; -1 if there are no keys at all. */
    public int find(int address) {
        int bucket = address >>> 16;
        if (starts[bucket] == starts[bucket + 1]) {
            if (keys.length == 0) {
                return -1;
            }
            bucket = nearestBucket(bucket);
        }
        return findWithin(starts[bucket], starts[bucket + 1], address);
    }

    private int findWithin(int first, int end, int address) {
        int from = first;
        int to = end;
        for (int bit = 1 << 15; to - from > 1; bit >>>= 1) {
            int split = split(from, to, bit);
            boolean one = (address & bit) != 0;
            if (one ? split < to : split == from) {
                from = split;
            } else {
                to = split;
            }
        }
        return from;
    }

    /** The first of some keys that has a bit set, which all before it agree in all bits above; or their end. */
    private int split(int first, int end, int bit) {
        int from = first;
        int to = end;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if ((keys[middle] & bit) == 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private int nearestBucket(int wanted) {
        int bucket = 0;
        for (int half = BUCKETS >>> 1; half != 0; half >>>= 1) {
            int same = bucket | wanted & half;
            bucket = starts[same] < starts[same + half] ? same : same ^ half;
        }
        return bucket;
    }
}
