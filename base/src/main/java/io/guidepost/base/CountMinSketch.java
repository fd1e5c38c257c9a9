package io.guidepost.base;

import java.util.Arrays;

/**
 * A count-min sketch (Cormode, Muthukrishnan, 2005): counts of more keys than there is memory for. Each key has a cell in
 * each of two rows, and its count is at most the smaller of the two. Which keys share a cell depends on a secret, so an
 * attacker cannot choose a key that shares the cells of a victim. Adding and subtracting keep counts exact except for keys
 * that share both cells. For one thread; allocates nothing after its construction.
 */
public final class CountMinSketch {
    private static final int BITS = 12;
    private static final int CELLS = 1 << BITS;

    private final long secret;
    private final int[] cells = new int[2 * CELLS];

    /**
     * Creates a sketch in which all counts are zero.
     *
     * @param secret decides which keys share a cell; must be unpredictable outside of the process
     */
    public CountMinSketch(long secret) {
        this.secret = secret;
    }

    /** Returns the hash of a key, which the other methods take. */
    public long hash(long key) {
        long hash = (key ^ secret) * 0x9e3779b97f4a7c15L;
        hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return hash ^ hash >>> 29;
    }

    private static int first(long hash) {
        return (int) hash & CELLS - 1;
    }

    private static int second(long hash) {
        return CELLS + ((int) (hash >>> 32) & CELLS - 1);
    }

    /** Adds a number, which may be negative, to the count of a key. */
    public void add(long hash, int number) {
        cells[first(hash)] += number;
        cells[second(hash)] += number;
    }

    /** Returns an upper bound of the count of a key. */
    public int count(long hash) {
        return Math.min(cells[first(hash)], cells[second(hash)]);
    }

    /** Sets all counts to zero. */
    public void clear() {
        Arrays.fill(cells, 0);
    }
}
