package io.guidepost.alto.update;

import io.guidepost.alto.AltoSnapshot;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The information in force, and those who wait for the next. Whoever publishes calls {@link #published}; nobody who waits
 * looks again and again. Thread-safe.
 */
public final class AltoSnapshotMonitor implements AutoCloseable {
    private final Supplier<AltoSnapshot> current;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private boolean closed;

    /** Watches over the information that is told by something, which changes before {@link #published} is called. */
    public AltoSnapshotMonitor(Supplier<AltoSnapshot> current) {
        this.current = current;
    }

    /** The information in force. */
    public AltoSnapshot current() {
        return current.get();
    }

    /** Wakes all who wait: there may be another information, or something else that concerns them. */
    public void published() {
        lock.lock();
        try {
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether this server has stopped: streams end, and nobody waits. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something has come, or it has waited too long, or the server has stopped.
     *
     * @param sought looks for it; called with the lock of this held, so it must be quick, and must not wait
     * @param waitNanos how long to wait at most
     * @return what was sought; empty if it has not come
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

    /** Ends all waiting. */
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
