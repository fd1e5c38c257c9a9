package io.guidepost.bench.process;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Waits until processes are idle: a server compacts files, a JVM compiles. Otherwise the next measurement would share a
 * processor with the work of the last.
 *
 * @param lookNanos length of each sample
 * @param share of a processor below which processes are idle
 * @param nanosMax longest wait
 */
public record IdleWait(long lookNanos, double share, long nanosMax) {
    /** After loading of many records. */
    public static final IdleWait AFTER_LOADING =
            new IdleWait(TimeUnit.MILLISECONDS.toNanos(200), 0.1, TimeUnit.MINUTES.toNanos(2));

    /**
     * While a server is warmed up: a busy worker leaves its compilers little of the processor that they share, and other
     * programs leave them a tenth of it, which is not idle.
     */
    public static final IdleWait WARMING =
            new IdleWait(TimeUnit.MILLISECONDS.toNanos(100), 0.05, TimeUnit.SECONDS.toNanos(3));

    /** Between two windows of a measurement. */
    public static final IdleWait BETWEEN_WINDOWS =
            new IdleWait(TimeUnit.MILLISECONDS.toNanos(20), 0.3, TimeUnit.SECONDS.toNanos(2));

    /**
     * Waits; returns at once if the processor time is {@link ProcessMeter#UNKNOWN}.
     *
     * @param cpuNanos processor time so far
     */
    public void await(LongSupplier cpuNanos) {
        await(cpuNanos, System::nanoTime);
    }

    void await(LongSupplier cpuNanos, LongSupplier clockNanos) {
        long end = clockNanos.getAsLong() + nanosMax;
        long before = cpuNanos.getAsLong();
        while (before != ProcessMeter.UNKNOWN && clockNanos.getAsLong() - end < 0) {
            LockSupport.parkNanos(lookNanos);
            long after = cpuNanos.getAsLong();
            if (after - before < lookNanos * share) {
                return;
            }
            before = after;
        }
    }
}
