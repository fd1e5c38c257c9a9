package io.guidepost.store.embedded;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Turns the committer's duty cycle on a thread of its own, and lets it sleep when there is nothing to do.
 *
 * <p>A group costs much, and each write of it little: so after a group it waits until as many writes have come again as were
 * under way when that one was told, its own and those that came meanwhile, but only for a moment. Clients that wait for one
 * answer before they ask again are then all back, and nothing is to be gained by waiting longer; one that is alone never
 * waits for others. Where writes come by themselves some come in each group's time, and the groups grow until they fill that
 * moment. (PostgreSQL and MySQL wait for a time that the operator sets: commit_delay, binlog_group_commit_sync_delay.)
 *
 * <p>Nobody need wake it before they are there: the threads that send pay one system call for a group.
 */
final class CommitterThread {
    private static final System.Logger LOG = System.getLogger(CommitterThread.class.getName());
    private static final VarHandle ASLEEP;

    static {
        try {
            ASLEEP = MethodHandles.lookup().findVarHandle(CommitterThread.class, "asleep", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Sleeps at most so long: what ends by its time is then removed soon even if nobody writes. */
    private static final long SLEEP_NANOS = 100_000_000;

    /** Rest after what is not foreseen, as it may happen again at once. */
    private static final long FAULT_PAUSE_NANOS = 1_000_000;

    private static final long CLOSE_WAIT_MILLIS = 30_000;

    private final Committer committer;
    private final ChangeQueue queue;
    private final long gatherNanos;
    private final LongAdder gathered = new LongAdder();
    private final Thread thread;
    private volatile boolean closing;

    @SuppressWarnings("unused") // Through its handle.
    private volatile boolean asleep;

    /** How many writes end the sleep. */
    private volatile int awaited = 1;

    CommitterThread(Committer committer, ChangeQueue queue, long gatherNanos) {
        this.committer = committer;
        this.queue = queue;
        this.gatherNanos = gatherNanos;
        thread = new Thread(this::run, "store-committer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sees to it that a new entry of the queue is noticed, as soon as there are enough. */
    void wake() {
        if (asleep && queue.size() >= awaited && ASLEEP.compareAndSet(this, true, false)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closing) {
            try {
                turn();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "a group failed in a way that is not foreseen", e);
                LockSupport.parkNanos(this, FAULT_PAUSE_NANOS);
            }
        }
        committer.finishWaiting();
    }

    private void turn() {
        boolean wrote = committer.write() > 0;
        if (committer.tidy() > 0) {
            return;
        }
        if (wrote) {
            long since = System.nanoTime();
            sleep(committer.awaited(), gatherNanos);
            gathered.add(System.nanoTime() - since);
        } else {
            sleep(1, SLEEP_NANOS);
        }
    }

    private void sleep(int writes, long nanosMax) {
        awaited = writes;
        asleep = true;
        // Looked at once more, as something may have come just before it was said that nobody looks.
        if (queue.size() < writes && !closing) {
            LockSupport.parkNanos(this, nanosMax);
        }
        asleep = false;
    }

    /** How long it waited for more writes, in all; any thread may ask. */
    long gatheredNanos() {
        return gathered.sum();
    }

    /** Lets it finish what waits, and ends it; false if it does not end. */
    boolean close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
