package io.guidepost.alto.update;

import io.guidepost.alto.AltoSnapshot;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The snapshot in force, with a condition to wait for the next one. The publisher calls {@link #published}; waiting
 * threads do not poll. Thread-safe.
 */
public final class AltoSnapshotMonitor implements AutoCloseable {
    private final Supplier<AltoSnapshot> current;
    private boolean closed;

    /** Creates the monitor of a snapshot that changes before {@link #published} is called. */
    public AltoSnapshotMonitor(Supplier<AltoSnapshot> current) {
        this.current = current;
    }

    /** Returns the snapshot in force. */
    public AltoSnapshot current() {
        return current.get();
    }

    /** Wakes all waiting threads: the snapshot, or something else that concerns them, may have changed. */
    public synchronized void published() {
        notifyAll();
    }

    /** Returns whether the server has stopped: streams end and waits return. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Waits until a condition holds, the time has passed, or the server has stopped.
     *
     * @param sought evaluates the condition; called under the lock, so it must be quick and must not block
     * @param waitNanos longest wait
     * @return the result of the condition; empty if it does not hold
     */
    public synchronized <T> Optional<T> await(Supplier<Optional<T>> sought, long waitNanos) throws InterruptedException {
        long until = System.nanoTime() + waitNanos;
        while (true) {
            Optional<T> found = sought.get();
            long left = until - System.nanoTime();
            if (found.isPresent() || closed || left <= 0) {
                return found;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Ends all waits. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
