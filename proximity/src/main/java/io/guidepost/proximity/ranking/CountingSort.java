package io.guidepost.proximity.ranking;

import java.util.Arrays;

/**
 * The positions of the candidates of one list in the response: a stable counting sort, so that equal candidates keep
 * the order of the request. Ranks are dense and mostly few, so one pass over a byte of the rank suffices; more than 255
 * ranks take two. Allocates nothing; belongs to one thread.
 */
public final class CountingSort {
    private static final int RADIX = 256;
    private static final int LAST = RADIX - 1;

    private final char[] ranks;
    private final char[] positions;
    private final char[] byLow;
    private final int[] counts = new int[RADIX];
    private int size;
    private int known;

    /** Creates the arrays for lists up to a length, which is at most {@code 65,536}. */
    public CountingSort(int most) {
        ranks = new char[most];
        positions = new char[most];
        byLow = new char[most];
    }

    /**
     * Returns the array for the ranks of a list, in the order of its candidates; {@link Ranking#UNRANKED} for unknown
     * ones.
     */
    public char[] ranks() {
        return ranks;
    }

    /**
     * Sorts the first ranks of the array; {@link #positions} has the result.
     *
     * @param candidates number of candidates
     * @param unknownLast whether candidates without a rank follow all others, in their order; otherwise they are
     *     omitted
     * @return candidates of the response
     */
    public int sort(int candidates, boolean unknownLast) {
        char[] of = ranks;
        int unknown = 0;
        int greatest = 0;
        for (int i = 0; i < candidates; i++) {
            int rank = of[i];
            boolean none = rank == Ranking.UNRANKED;
            unknown += none ? 1 : 0;
            greatest = Math.max(greatest, none ? 0 : rank);
        }
        size = candidates;
        known = candidates - unknown;
        // Unknown candidates sort as one more rank if a byte has room for it, or by their own number.
        if (greatest < LAST) {
            place((char) (greatest + 1));
        } else {
            placeByBoth();
        }
        return unknownLast ? size : known;
    }

    private void place(char unknown) {
        char[] of = ranks;
        char[] to = positions;
        int[] next = counts;
        int end = size;
        Arrays.fill(next, 0, unknown + 1, 0);
        for (int i = 0; i < end; i++) {
            next[Math.min(of[i], unknown)]++;
        }
        startOf(unknown + 1);
        for (int i = 0; i < end; i++) {
            to[i] = (char) next[Math.min(of[i], unknown)]++;
        }
    }

    private void placeByBoth() {
        int[] next = counts;
        Arrays.fill(next, 0);
        for (int i = 0; i < size; i++) {
            next[ranks[i] & LAST]++;
        }
        startOf(RADIX);
        for (int i = 0; i < size; i++) {
            byLow[next[ranks[i] & LAST]++] = (char) i;
        }
        Arrays.fill(next, 0);
        for (int i = 0; i < size; i++) {
            next[ranks[i] >>> Byte.SIZE]++;
        }
        startOf(RADIX);
        for (int i = 0; i < size; i++) {
            int candidate = byLow[i];
            positions[candidate] = (char) next[ranks[candidate] >>> Byte.SIZE]++;
        }
    }

    /** Turns counts into the first position of each. */
    private void startOf(int upTo) {
        int[] next = counts;
        int start = 0;
        for (int i = 0; i < upTo; i++) {
            int count = next[i];
            next[i] = start;
            start += count;
        }
    }

    /** Returns the number of candidates without a rank. */
    public int unknown() {
        return size - known;
    }

    /** Returns the position of each candidate in the response, from 0; omitted ones have positions after its end. */
    public char[] positions() {
        return positions;
    }
}
