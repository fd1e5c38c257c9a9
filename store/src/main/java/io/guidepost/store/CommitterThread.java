package io.guidepost.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Turns the committer's duty cycle on a thread of its own, and lets it sleep when there is nothing to do.
 *
 * <p>After a group it first dozes for a moment that nobody needs to end: under load what came meanwhile makes the next
 * group, and the threads that send pay no system call to wake it.
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

    private static final long DOZE_NANOS = 50_000;
    private static final int DOZES_MAX = 4;

    /** Sleeps at most so long: what ends by its time is then removed soon even if nobody writes. */
    private static final long SLEEP_NANOS = 100_000_000;

    private static final long CLOSE_WAIT_MILLIS = 30_000;

    private final Committer committer;
    private final Thread thread;
    private volatile boolean closing;

    @SuppressWarnings("unused") // Through its handle.
    private volatile boolean asleep;

    CommitterThread(Committer committer) {
        this.committer = committer;
        thread = new Thread(this::run, "store-committer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sees to it that a new entry of the queue is noticed. */
    void wake() {
        if (asleep && ASLEEP.compareAndSet(this, true, false)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int dozes = 0;
        while (!closing) {
            if (round() > 0) {
                dozes = 0;
            } else if (dozes++ < DOZES_MAX) {
                LockSupport.parkNanos(this, DOZE_NANOS);
            } else {
                sleep();
            }
        }
        committer.finishWaiting();
    }

    private int round() {
        try {
            return committer.work();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a group failed in a way that is not foreseen", e);
            return 0;
        }
    }

    private void sleep() {
        asleep = true;
        // Looked at once more, as something may have come just before it was said that nobody looks.
        if (round() == 0 && !closing) {
            LockSupport.parkNanos(this, SLEEP_NANOS);
        }
        asleep = false;
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
