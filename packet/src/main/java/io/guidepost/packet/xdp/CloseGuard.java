package io.guidepost.packet.xdp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a queue's rings from being unmapped under the thread that uses them. That thread goes in for each burst; closing
 * waits until it is out, which is soon as nothing inside waits, and nobody comes in afterwards.
 *
 * <p>Why not a flag alone? Between looking at it and touching the ring the memory could go, and the process with it. Why
 * not leave the rings mapped? The pieces of memory that the kernel has must come back to the pool, and to read which they
 * are, the thread must be out. It is one exchange for a burst, some 6 ns.
 */
final class CloseGuard {
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int CLOSED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(CloseGuard.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // Accessed through STATE.
    private volatile int state = FREE;

    private @Nullable Thread user;

    /** Goes in; false if the queue is closed, and nothing of it may be touched. */
    boolean enter() {
        while (!STATE.compareAndSet(this, FREE, TAKEN)) {
            if ((int) STATE.getAcquire(this) == CLOSED) {
                return false;
            }
            Thread.onSpinWait();
        }
        user = Thread.currentThread();
        return true;
    }

    /** Goes in if nobody is inside and the queue is open; for threads that are not the queue's own. */
    boolean visit() {
        return STATE.compareAndSet(this, FREE, TAKEN);
    }

    /** Goes out. */
    void leave() {
        STATE.setRelease(this, FREE);
    }

    /** Waits for whoever is inside and lets nobody in any more; a second call does nothing. */
    void close() {
        while (!STATE.compareAndSet(this, FREE, CLOSED)) {
            if ((int) STATE.getAcquire(this) == CLOSED) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** After closing: whether the thread that was in last is not another one that still runs. */
    boolean isUserGone() {
        Thread last = user;
        return last == null || last.equals(Thread.currentThread()) || !last.isAlive();
    }
}
