package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks after a worker in real time from before it: one that is in the same turn at two looks, and did not sleep, becomes
 * a fair thread.
 *
 * <p>Why is it needed? A thread may wait for another by trying again and again. Between fair ones that ends when the other
 * gets its turn; a thread in real time never lets it have one. The JVM does so when it calls a method of which the compiler
 * is just replacing the code: it looks the code up anew until the compiler's thread is through. With both on one processor
 * a worker was seen to try for 950 ms, after which Linux has pity on fair threads.
 */
final class RealTimeWatchdog implements RealTimeScheduling.Place, AutoCloseable {
    private final Thread thread;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean allowed;
    private volatile boolean taken;
    private volatile boolean running = true;

    /**
     * Starts to look after the calling thread, and returns when it does, or may not.
     *
     * @param name names its thread
     * @param statistics count the worker's turns
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

    /** Returns whether it looks; false where the kernel does not allow it to go before a thread in real time. */
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

    private void watch(int worker, WorkerStatistics statistics, BooleanSupplier asleep) {
        long before = -1;
        int looksAlike = 0;
        while (running) {
            // Of a worker that sleeps all the time there is little to see.
            boolean idle = looksAlike > PacketLimits.WATCHDOG_LOOKS_IDLE;
            LockSupport.parkNanos(idle ? PacketLimits.WATCHDOG_IDLE_NANOS : PacketLimits.WATCHDOG_NANOS);
            long turns = statistics.turns();
            if (running && !taken && turns == before && !asleep.getAsBoolean() && statistics.isRealTime()) {
                ThreadAffinity.realTime(worker, 0);
                taken = true;
            }
            looksAlike = turns == before ? looksAlike + 1 : 0;
            before = turns;
        }
    }

    /** Ends it; does not wait for that. */
    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
    }
}
