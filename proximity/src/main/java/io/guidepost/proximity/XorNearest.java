package io.guidepost.proximity;

import java.util.Arrays;

/**
 * Finds among 32-bit keys the one with the least XOR to an address: the key at which a PATRICIA trie walk ends. Keys
 * are sorted and cut into 65,536 buckets by their upper half; the search halves a bucket bit by bit, and keeps the half
 * that agrees with the address if it is not empty. Immutable; a search allocates nothing.
 */
public final class XorNearest {
    private static final int BUCKETS = 1 << 16;

    /** Keys in unsigned order. */
    private final int[] keys;

    /** Start of each bucket among the keys, and after the last, its end. */
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
     * Takes distinct keys in unsigned order.
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

    /** Returns the number of keys. */
    public int size() {
        return keys.length;
    }

    /** Returns a key by its index. */
    public int key(int at) {
        return keys[at];
    }

    /** Returns the index of the nearest key of an address; -1 without keys. */
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

    /** Returns the first of some keys that has a bit set, where all agree in the bits above; or their end. */
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
