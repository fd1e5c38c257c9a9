package io.guidepost.gnrs.relay;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What other threads leave for a worker to do in its next turn. Bounded; any thread puts, the worker takes. */
final class WorkerMailbox {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final Runnable wake;

    WorkerMailbox(Runnable wake) {
        this.wake = wake;
    }

    /** Leaves something to do, which must be quick, unless too much waits already. */
    void put(Runnable task) {
        if (size.incrementAndGet() > RelayLimits.INBOX_MAX) {
            size.decrementAndGet();
            refused.increment();
            return;
        }
        tasks.add(task);
        wake.run();
    }

    /** How often too much waited since it was asked last; for the worker. */
    long refused() {
        return refused.sumThenReset();
    }

    /** Does what was left until now; for the worker. */
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
