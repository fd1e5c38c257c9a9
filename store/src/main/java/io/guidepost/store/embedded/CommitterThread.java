package io.guidepost.store.embedded;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the committer's duty cycle on a thread of its own, which sleeps while there is no work.
 *
 * <p>Group commit delay: a group costs a sync, each write in it little. After a group the thread waits briefly until as
 * many writes are pending as were in flight when the group completed. Closed-loop clients are then all back, and a
 * longer wait gains nothing; a lone client never waits. Under an open load the groups grow until they fill the delay.
 * (PostgreSQL and MySQL wait for a time that the operator sets: commit_delay, binlog_group_commit_sync_delay.)
 *
 * <p>Producers wake it only when the group is complete: one system call for each group.
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

    /** Longest sleep: expired records are removed soon even without writes. */
    private static final long SLEEP_NANOS = 100_000_000;

    /** Pause after an unforeseen error, which may repeat at once. */
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

    /** Number of pending writes that end the sleep. */
    private volatile int awaited = 1;

    CommitterThread(Committer committer, ChangeQueue queue, long gatherNanos) {
        this.committer = committer;
        this.queue = queue;
        this.gatherNanos = gatherNanos;
        thread = new Thread(this::run, "store-committer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Wakes the thread if enough entries are pending; called after each offer. */
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
                LOG.log(System.Logger.Level.ERROR, "a commit group failed unexpectedly", e);
                LockSupport.parkNanos(this, FAULT_PAUSE_NANOS);
            }
        }
        committer.finishWaiting();
    }

    private void turn() {
        if (committer.isResting()) {
            sleep(Integer.MAX_VALUE, SLEEP_NANOS);
            return;
        }
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
        // Checked again: an entry may have come just before the sleep was announced.
        if (queue.size() < writes && !closing) {
            LockSupport.parkNanos(this, nanosMax);
        }
        asleep = false;
    }

    /** Returns the total time waited for more writes; for any thread. */
    long groupedNanos() {
        return gathered.sum();
    }

    /** Completes pending writes and ends the thread; false if it does not end. */
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
