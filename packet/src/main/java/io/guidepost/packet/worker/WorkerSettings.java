package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;
import java.util.function.LongSupplier;

/**
 * What a worker shall be.
 *
 * @param name names the thread
 * @param cpu number of the processor that it stays on, -1 = wherever the system puts it
 * @param spinNanos how long it looks for work again and again before it sleeps, 0 to 1 s
 * @param napNanos how long it sleeps through arrivals when they come denser than one in that time, so that it finds
 *     several at once, at most: until two are likely to have come is enough; 0 to 1 ms, 0 = never
 * @param sleepMillisMax how long it sleeps at most without looking at its duties, 1 to 60,000
 * @param pollNanosMax how long it sleeps at most between two looks at queues that nothing reports on, once no packets
 *     have come for a while; 0 to 1 s, below 50 us it is always that
 * @param realTime whether it goes before all other threads of its processor, where the kernel allows it and as long as it
 *     sleeps a quarter of the time
 * @param clockMillis tells the time
 */
public record WorkerSettings(
        String name,
        int cpu,
        long spinNanos,
        long napNanos,
        int sleepMillisMax,
        long pollNanosMax,
        boolean realTime,
        LongSupplier clockMillis) {
    /** Checks ranges. */
    public WorkerSettings {
        check("cpu", cpu, -1, PacketLimits.CPUS_MAX - 1);
        check("spinNanos", spinNanos, 0, 1_000_000_000);
        check("napNanos", napNanos, 0, 1_000_000);
        check("sleepMillisMax", sleepMillisMax, 1, 60_000);
        check("pollNanosMax", pollNanosMax, 0, 1_000_000_000);
    }

    /** Returns a worker that no processor is set aside for, on the wall clock. */
    public static WorkerSettings of(String name) {
        return new WorkerSettings(
                name,
                -1,
                PacketLimits.SPIN_NANOS,
                PacketLimits.NAP_NANOS,
                PacketLimits.SLEEP_MILLIS_MAX,
                PacketLimits.POLL_NANOS_MAX,
                false,
                System::currentTimeMillis);
    }

    /** Returns the same on a processor, or with -1 on any. */
    public WorkerSettings withCpu(int number) {
        return new WorkerSettings(name, number, spinNanos, napNanos, sleepMillisMax, pollNanosMax, realTime, clockMillis);
    }

    /** Returns the same with other ways to wait. */
    public WorkerSettings withWaiting(long spin, long nap, int sleepMillis) {
        return new WorkerSettings(name, cpu, spin, nap, sleepMillis, pollNanosMax, realTime, clockMillis);
    }

    /** Returns the same with another longest sleep between two looks at idle queues that nothing reports on. */
    public WorkerSettings withPolls(long nanosMax) {
        return new WorkerSettings(name, cpu, spinNanos, napNanos, sleepMillisMax, nanosMax, realTime, clockMillis);
    }

    /** Returns the same, before all other threads of its processor or not. */
    public WorkerSettings withRealTime(boolean wanted) {
        return new WorkerSettings(name, cpu, spinNanos, napNanos, sleepMillisMax, pollNanosMax, wanted, clockMillis);
    }

    /** Returns the same with another clock. */
    public WorkerSettings withClock(LongSupplier millis) {
        return new WorkerSettings(name, cpu, spinNanos, napNanos, sleepMillisMax, pollNanosMax, realTime, millis);
    }

    /**
     * Returns how long to sleep through arrivals.
     *
     * @param packets how many came lately
     * @param nanos in what time, at least 1
     * @return nanoseconds; 0 if they did not come densely enough for it
     */
    long napNanos(long packets, long nanos) {
        boolean dense = packets * napNanos > nanos;
        return dense ? Math.min(napNanos, PacketLimits.NAP_PACKETS * nanos / packets) : 0;
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + min + " to " + max);
        }
    }
}
