package io.guidepost.proximity.ranking;

import java.util.Arrays;

/**
 * The places that the candidates of one list get in its answer: a stable counting sort, so that equal candidates keep the
 * order of the question. Ranks are dense and mostly few, so that one pass over a byte of the rank does; where there are
 * more than 255, two do. Allocates nothing; belongs to one thread.
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

    /** For lists of so many candidates at most, which are no more than {@code 65,536}. */
    public CountingSort(int most) {
        ranks = new char[most];
        positions = new char[most];
        byLow = new char[most];
    }

    /** Where the ranks of a list are written, in the order of its candidates; {@link Ranking#UNRANKED} for unknown ones. */
    public char[] ranks() {
        return ranks;
    }

    /**
     * Sorts the first ranks that were written; then {@link #positions} tells.
     *
     * @param candidates how many there are
     * @param unknownLast whether candidates without a rank stand behind all others, in their order; else they are left out
     * @return how many candidates the answer has
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
        // Unknown ones sort as one more rank, where a byte is left for it, or as the number that they are.
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

    /** How many candidates have no rank. */
    public int unknown() {
        return size - known;
    }

    /** Where each candidate stands in the answer, from 0; those left out have positions behind its end. */
    public char[] positions() {
        return positions;
    }
}
