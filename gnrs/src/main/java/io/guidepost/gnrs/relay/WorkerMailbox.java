package io.guidepost.gnrs.relay;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The mailbox of a worker: tasks that other threads leave for its next turn. Bounded; any thread puts, the worker
 * takes.
 */
final class WorkerMailbox {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final int max;
    private final Runnable wake;

    WorkerMailbox(int max, Runnable wake) {
        this.max = max;
        this.wake = wake;
    }

    /** Adds a task, which must be quick; drops it if too many wait. */
    void put(Runnable task) {
        if (size.incrementAndGet() > max) {
            size.decrementAndGet();
            refused.increment();
            return;
        }
        tasks.add(task);
        wake.run();
    }

    /** Returns the number of tasks that wait. */
    int size() {
        return size.get();
    }

    /** Returns the number of tasks dropped since the last call; the worker calls. */
    long refused() {
        return refused.sumThenReset();
    }

    void drain() {
        if (size.get() == 0) {
            return;
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            size.decrementAndGet();
            task.run();
        }
    }
}
