package io.guidepost.proximity;

import java.util.Arrays;

/**
 * Addresses that count as their own places where no prefix holds them: those of routers. Sorted. Immutable.
 *
 * @param high first 64 bits of each
 * @param low last 64 bits of each
 * @param places of each
 */
record LoopBacks(long[] high, long[] low, int[] places) {
    static final LoopBacks NONE = new LoopBacks(new long[0], new long[0], new int[0]);

    int size() {
        return places.length;
    }

    boolean same(LoopBacks other) {
        return Arrays.equals(high, other.high) && Arrays.equals(low, other.low) && Arrays.equals(places, other.places);
    }
}
