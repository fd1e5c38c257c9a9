package io.guidepost.alto.update;

import io.guidepost.alto.AltoSnapshot;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The snapshot in force, with a condition to wait for the next one. The publisher calls {@link #published}; waiting
 * threads do not poll. Thread-safe.
 */
public final class AltoSnapshotMonitor implements AutoCloseable {
    private final Supplier<AltoSnapshot> current;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
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
    public void published() {
        lock.lock();
        try {
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the server has stopped: streams end and waits return. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a condition holds, the time has passed, or the server has stopped.
     *
     * @param sought evaluates the condition; called under the lock, so it must be quick and must not block
     * @param waitNanos longest wait
     * @return the result of the condition; empty if it does not hold
     */
    public <T> Optional<T> await(Supplier<Optional<T>> sought, long waitNanos) throws InterruptedException {
        long left = waitNanos;
        lock.lock();
        try {
            while (true) {
                Optional<T> found = sought.get();
                if (found.isPresent() || closed || left <= 0) {
                    return found;
                }
                left = moved.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
