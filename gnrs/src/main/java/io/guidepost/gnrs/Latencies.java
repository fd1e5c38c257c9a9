package io.guidepost.gnrs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long things took, in buckets that double: bucket b counts what took less than 2^b nanoseconds, and at least half
 * of that. One thread adds, any thread reads.
 */
public final class Latencies {
    /** Number of buckets; the last takes everything of 2^39 ns, nine minutes, and more. */
    public static final int BUCKETS = 41;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** One cell for each bucket, and behind them the sum of all times. */
    private final long[] cells = new long[BUCKETS + 1];

    /** Adds one time; for the owning thread alone. */
    void add(long nanos) {
        long least = Math.max(0, nanos);
        int bucket = Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(least));
        CELL.setOpaque(cells, bucket, cells[bucket] + 1);
        CELL.setOpaque(cells, BUCKETS, cells[BUCKETS] + least);
    }

    /** How many fell into a bucket. */
    public long count(int bucket) {
        return (long) CELL.getOpaque(cells, bucket);
    }

    /** The sum of all times, in nanoseconds. */
    public long sumNanos() {
        return (long) CELL.getOpaque(cells, BUCKETS);
    }

    /** The time that everything in a bucket is below, in nanoseconds. */
    public static long bucketNanosMax(int bucket) {
        return bucket == BUCKETS - 1 ? Long.MAX_VALUE : 1L << bucket;
    }
}
