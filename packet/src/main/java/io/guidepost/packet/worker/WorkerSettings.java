package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;
import java.util.function.LongSupplier;

/**
 * Settings of a worker.
 *
 * @param name of the thread
 * @param cpu number of the processor to pin it to, -1 = any
 * @param spinNanos how long it busy-polls before it sleeps, 0 to 1 s
 * @param coalesceNanos interrupt coalescing: longest sleep through dense arrivals, so that it finds several at once; it ends
 *     when two are likely to have come; 0 to 1 ms, 0 = off
 * @param sleepMillisMax longest sleep between two turns, 1 to 60,000
 * @param realTime whether it runs under SCHED_FIFO
 * @param clockMillis the clock
 */
public record WorkerSettings(
        String name,
        int cpu,
        long spinNanos,
        long coalesceNanos,
        int sleepMillisMax,
        RealTimePolicy realTime,
        LongSupplier clockMillis) {
    /** Checks ranges. */
    public WorkerSettings {
        PacketLimits.check("cpu", cpu, -1, PacketLimits.CPUS_MAX - 1);
        PacketLimits.check("spinNanos", spinNanos, 0, 1_000_000_000);
        PacketLimits.check("coalesceNanos", coalesceNanos, 0, 1_000_000);
        PacketLimits.check("sleepMillisMax", sleepMillisMax, 1, 60_000);
    }

    /** Returns a worker without affinity, on the wall clock. */
    public static WorkerSettings of(String name) {
        return new WorkerSettings(
                name,
                -1,
                PacketLimits.SPIN_NANOS,
                PacketLimits.NAP_NANOS,
                PacketLimits.SLEEP_MILLIS_MAX,
                RealTimePolicy.FALSE,
                System::currentTimeMillis);
    }

    /** Returns the same under another name. */
    public WorkerSettings withName(String thread) {
        return new WorkerSettings(thread, cpu, spinNanos, coalesceNanos, sleepMillisMax, realTime, clockMillis);
    }

    /** Returns the same pinned to a processor, or with -1 to none. */
    public WorkerSettings withCpu(int number) {
        return new WorkerSettings(name, number, spinNanos, coalesceNanos, sleepMillisMax, realTime, clockMillis);
    }

    /** Returns the same with other busy-polling, coalescing and sleep times. */
    public WorkerSettings withWaiting(long spin, long nap, int sleepMillis) {
        return new WorkerSettings(name, cpu, spin, nap, sleepMillis, realTime, clockMillis);
    }

    /** Returns the same with or without real-time scheduling. */
    public WorkerSettings withRealTime(RealTimePolicy wanted) {
        return new WorkerSettings(name, cpu, spinNanos, coalesceNanos, sleepMillisMax, wanted, clockMillis);
    }

    /** Returns the same with another clock. */
    public WorkerSettings withClock(LongSupplier millis) {
        return new WorkerSettings(name, cpu, spinNanos, coalesceNanos, sleepMillisMax, realTime, millis);
    }

    /**
     * Returns the coalescing sleep.
     *
     * @param packets recent arrivals
     * @param nanos the time in which they came, at least 1
     * @return nanoseconds; 0 if arrivals were too sparse
     */
    long coalesceNanos(long packets, long nanos) {
        boolean dense = packets * coalesceNanos > nanos;
        return dense ? Math.min(coalesceNanos, PacketLimits.NAP_PACKETS * nanos / packets) : 0;
    }
}
