package io.guidepost.alto.proxidor;

import io.guidepost.proximity.ranking.Ranking;
import java.util.Arrays;

/**
 * The places that the candidates of one list get in its answer: a stable counting sort, so that equal candidates keep the
 * order of the question. Ranks are dense and mostly few, so that one pass over a byte of the rank does; where there are
 * more than 255, two do. Allocates nothing; belongs to one thread.
 */
final class ListOrder {
    private static final int RADIX = 256;
    private static final int LAST = RADIX - 1;

    private final char[] ranks;
    private final char[] positions;
    private final char[] byLow;
    private final int[] counts = new int[RADIX];
    private int size;
    private int known;
    private int greatest;

    /** For lists of so many candidates at most. */
    ListOrder(int most) {
        ranks = new char[most];
        positions = new char[most];
        byLow = new char[most];
    }

    /** Begins a list. */
    void clear() {
        size = 0;
        known = 0;
        greatest = 0;
    }

    /** Adds the rank of the next candidate, or {@link Ranking#UNRANKED}. */
    void add(char rank) {
        ranks[size++] = rank;
        if (rank != Ranking.UNRANKED) {
            known++;
            greatest = Math.max(greatest, rank);
        }
    }

    /**
     * Sorts; then {@link #position} tells.
     *
     * @param unknownLast whether candidates without a rank stand behind all others, in their order; else they are left out
     * @return how many candidates the answer has
     */
    int sort(boolean unknownLast) {
        // Unknown ones sort as one more rank, where a byte is left for it, or as the number that they are.
        if (greatest < LAST) {
            place();
        } else {
            placeByBoth();
        }
        return unknownLast ? size : known;
    }

    private void place() {
        int[] next = counts;
        char unknown = (char) (greatest + 1);
        Arrays.fill(next, 0, unknown + 1, 0);
        for (int i = 0; i < size; i++) {
            next[Math.min(ranks[i], unknown)]++;
        }
        startOf(unknown + 1);
        for (int i = 0; i < size; i++) {
            positions[i] = (char) next[Math.min(ranks[i], unknown)]++;
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
            next[ranks[i] >>> 8]++;
        }
        startOf(RADIX);
        for (int i = 0; i < size; i++) {
            int candidate = byLow[i];
            positions[candidate] = (char) next[ranks[candidate] >>> 8]++;
        }
    }

    /** Turns counts into the first position of each. */
    private void startOf(int upTo) {
        int start = 0;
        for (int i = 0; i < upTo; i++) {
            int count = counts[i];
            counts[i] = start;
            start += count;
        }
    }

    /** How many candidates have no rank. */
    int unknown() {
        return size - known;
    }

    /** Where a candidate stands in the answer, from 0; those left out have positions behind its end. */
    int position(int candidate) {
        return positions[candidate];
    }
}
