package io.guidepost.packet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of values by power of two: bucket 0 holds the values up to 1, bucket b those above 2^(b-1) up to 2^b. One
 * thread records; any thread reads.
 */
public final class Histogram {
    /** Number of buckets: the last holds everything above 2^38, which is four and a half minutes in nanoseconds. */
    public static final int BUCKETS = 40;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PAD = 16;

    private final long[] cells = new long[PAD + BUCKETS + PAD];

    Histogram() {}

    /** Values in a bucket. */
    public long count(int bucket) {
        return (long) CELL.getOpaque(cells, PAD + bucket);
    }

    /** The largest value that belongs in a bucket. */
    public static long upperBound(int bucket) {
        return bucket == BUCKETS - 1 ? Long.MAX_VALUE : 1L << bucket;
    }

    void record(long value) {
        int cell = PAD + bucket(value);
        CELL.setOpaque(cells, cell, cells[cell] + 1);
    }

    static int bucket(long value) {
        return value <= 1 ? 0 : Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(value - 1));
    }
}
