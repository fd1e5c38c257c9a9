package io.guidepost.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A histogram whose buckets double, each doubling divided into equal steps (log-linear, as HdrHistogram). One thread
 * records; any thread reads, and sees each count whole though perhaps a moment late. Recording allocates nothing.
 *
 * <p>Of {@link #doubling} bucket 0 holds the values up to 1 and bucket b those above 2^(b-1) up to 2^b.
 */
public final class Histogram {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of the cells: 128 bytes, as processors fetch lines in pairs. */
    private static final int PAD = 16;

    private static final int DOUBLING_BUCKETS = 40;
    private static final int FINE_SHIFT = 4;

    private final int shift;

    /** 1 where a bucket includes its upper end, 0 where it includes its lower end. */
    private final int above;

    private final int buckets;
    private final long[] cells;

    private Histogram(int shift, int above, int buckets) {
        this.shift = shift;
        this.above = above;
        this.buckets = buckets;
        this.cells = new long[PAD + buckets + 1 + PAD];
    }

    /** Returns a histogram by powers of two; the last of 40 buckets holds all above 2^38, which is 4.5 minutes in nanoseconds. */
    public static Histogram doubling() {
        return new Histogram(0, 1, DOUBLING_BUCKETS);
    }

    /** Returns a histogram of all longs whose buckets are a sixteenth of their values wide. */
    public static Histogram fine() {
        return new Histogram(FINE_SHIFT, 0, Long.SIZE - FINE_SHIFT << FINE_SHIFT);
    }

    /** Counts one value; for the owning thread. Values below 0 count as 0. */
    public void record(long value) {
        long least = Math.max(0, value);
        int cell = PAD + bucket(least);
        CELL.setOpaque(cells, cell, cells[cell] + 1);
        int sum = PAD + buckets;
        CELL.setOpaque(cells, sum, cells[sum] + least);
    }

    /**
     * Adds the counts of a histogram with the same buckets; for the owning thread.
     *
     * @throws IndexOutOfBoundsException if the other has more buckets
     */
    public void add(Histogram other) {
        for (int i = 0; i <= other.buckets; i++) {
            CELL.setOpaque(cells, PAD + i, cells[PAD + i] + other.count(i));
        }
    }

    /** Returns the number of values in a bucket. */
    public long count(int bucket) {
        return (long) CELL.getOpaque(cells, PAD + bucket);
    }

    /** Returns the sum of all values. */
    public long sum() {
        return (long) CELL.getOpaque(cells, PAD + buckets);
    }

    /** Returns the counts of all buckets. */
    public long[] counts() {
        long[] counts = new long[buckets];
        for (int i = 0; i < buckets; i++) {
            counts[i] = count(i);
        }
        return counts;
    }

    /** Returns the largest value that belongs in a bucket. */
    public long upperBound(int bucket) {
        return bucket == buckets - 1 ? Long.MAX_VALUE : lowerBound(bucket + 1) - 1;
    }

    /** Returns the least value that belongs in a bucket. */
    public long lowerBound(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        int doubling = Math.max(0, (bucket >>> shift) - 1);
        return ((long) (bucket - (doubling << shift)) << doubling) + above;
    }

    /** Returns the lower bound of the bucket below whose end a share of all values lie; 0 without values. */
    public long percentile(double share) {
        long[] counts = counts();
        long all = 0;
        for (long each : counts) {
            all += each;
        }
        long rank = (long) Math.ceil(all * share);
        int last = 0;
        for (int i = 0; i < counts.length && rank > 0; i++) {
            if (counts[i] > 0) {
                last = i;
                rank -= counts[i];
            }
        }
        return lowerBound(last);
    }

    /** Returns the bucket of a value of at least 0. */
    int bucket(long value) {
        long below = Math.max(0, value - above);
        if (below >>> shift == 0) {
            return (int) below;
        }
        int doubling = Long.SIZE - 1 - shift - Long.numberOfLeadingZeros(below);
        return Math.min(buckets - 1, (doubling << shift) + (int) (below >>> doubling));
    }
}
