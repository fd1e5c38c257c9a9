package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The watchdog of a real-time worker, at a higher priority: it demotes a worker that is in the same turn at two checks
 * and did not sleep.
 *
 * <p>Why is it needed? A thread may spin until another one makes progress. In the normal class the other gets its time
 * slice; a real-time thread on the same processor never yields it. The JVM spins when it calls a method whose code the
 * compiler is just replacing, until the compiler's thread is done. With both on one processor a worker was seen to spin
 * for 950 ms, until Linux's real-time throttling let normal threads run.
 */
final class RealTimeWatchdog implements RealTimeScheduling.Place, AutoCloseable {
    private final RunQueueWait waits = RunQueueWait.ofThisThread();
    private final Thread thread;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean allowed;
    private volatile boolean taken;
    private volatile boolean running = true;

    /**
     * Starts watching the calling thread; returns when the watchdog runs, or may not.
     *
     * @param name names its thread
     * @param statistics the worker's counters of turns
     * @param asleep whether the worker sleeps or is about to
     */
    RealTimeWatchdog(String name, WorkerStatistics statistics, BooleanSupplier asleep) {
        int worker = ThreadAffinity.thread();
        thread = Thread.ofPlatform().name(name).daemon(true).start(() -> {
            allowed = ThreadAffinity.realTime(ThreadAffinity.THIS_THREAD, PacketLimits.REAL_TIME_PRIORITY + 1);
            ready.countDown();
            if (allowed) {
                watch(worker, statistics, asleep);
            }
        });
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it runs; false where the kernel does not permit its priority. */
    boolean allowed() {
        return allowed;
    }

    @Override
    public boolean change(boolean realTime) {
        taken = false;
        return allowed && ThreadAffinity.realTime(ThreadAffinity.THIS_THREAD, realTime ? PacketLimits.REAL_TIME_PRIORITY : 0);
    }

    @Override
    public boolean taken() {
        return taken;
    }

    @Override
    public long waitedNanos() {
        return waits.nanos();
    }

    private void watch(int worker, WorkerStatistics statistics, BooleanSupplier asleep) {
        LookPeriod period = new LookPeriod();
        long before = -1;
        while (running) {
            LockSupport.parkNanos(period.nanos());
            long turns = statistics.turns();
            if (running && !taken && turns == before && !asleep.getAsBoolean() && statistics.isRealTime()) {
                ThreadAffinity.realTime(worker, 0);
                taken = true;
            }
            period.looked(turns);
            before = turns;
        }
    }

    /**
     * How often the watchdog looks. A worker that has little to do needs few looks: at 500 a second they took 1.4 % of a processor from
     * a server that nothing was sent to, as a worker wakes ten times a second for what is due.
     */
    static final class LookPeriod {
        private boolean idle;
        private int looks;
        private long turnsBefore;

        /** Returns the nanoseconds to the next look. */
        long nanos() {
            return idle ? PacketLimits.WATCHDOG_IDLE_NANOS : PacketLimits.WATCHDOG_NANOS;
        }

        /** Takes note of how many turns the worker had taken at a look. */
        void looked(long turns) {
            looks++;
            if (idle || looks == PacketLimits.WATCHDOG_LOOKS) {
                idle = turns - turnsBefore <= PacketLimits.WATCHDOG_TURNS_IDLE;
                turnsBefore = turns;
                looks = 0;
            }
        }
    }

    /** Ends the watchdog without waiting for its thread. */
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        waits.close();
    }
}
