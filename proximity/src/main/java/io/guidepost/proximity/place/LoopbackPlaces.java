package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * Router addresses, which count as places of their own if no prefix matches them. Sorted. Immutable.
 *
 * @param high first 64 bits of each
 * @param low last 64 bits of each
 * @param places of each
 */
record LoopbackPlaces(long[] high, long[] low, int[] places) {
    static final LoopbackPlaces NONE = new LoopbackPlaces(new long[0], new long[0], new int[0]);

    int size() {
        return places.length;
    }

    /** Returns the index of the first address whose first 64 bits are not less than a bound. */
    int firstAt(long least) {
        int from = 0;
        int to = high.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(high[middle], least) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    boolean same(LoopbackPlaces other) {
        return Arrays.equals(high, other.high) && Arrays.equals(low, other.low) && Arrays.equals(places, other.places);
    }
}
