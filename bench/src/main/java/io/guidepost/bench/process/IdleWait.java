package io.guidepost.bench.process;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Waits until processes have done what they were left to do: a server its sorting of files, a JVM its compiling. Until
 * then what is measured next would share a processor with what was measured before.
 *
 * @param lookNanos how long each look at them is
 * @param share of a processor that processes at rest use less of
 * @param nanosMax after that it waits no longer
 */
public record IdleWait(long lookNanos, double share, long nanosMax) {
    /** After much was written. */
    public static final IdleWait AFTER_LOADING =
            new IdleWait(TimeUnit.MILLISECONDS.toNanos(200), 0.1, TimeUnit.MINUTES.toNanos(2));

    /** Between two windows of a measurement. */
    public static final IdleWait BETWEEN_WINDOWS =
            new IdleWait(TimeUnit.MILLISECONDS.toNanos(20), 0.3, TimeUnit.SECONDS.toNanos(2));

    /**
     * Waits; not at all where their processor time is {@link ProcessMeter#UNKNOWN}.
     *
     * @param cpuNanos processor time that they have used so far
     */
    public void await(LongSupplier cpuNanos) {
        long end = System.nanoTime() + nanosMax;
        long before = cpuNanos.getAsLong();
        while (before != ProcessMeter.UNKNOWN && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(lookNanos);
            long after = cpuNanos.getAsLong();
            if (after - before < lookNanos * share) {
                return;
            }
            before = after;
        }
    }
}
