package io.guidepost.gnrs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes that came back from the committer, in order; no lock. The worker takes. The committer puts, and when a store
 * closes whoever tells the rest that they failed. There are never more writes under way than it has slots, so a put
 * always finds one.
 *
 * @param <T> a write
 */
public final class CompletionRing<T> {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] slots;

    private final int mask;
    private final AtomicInteger putAt = new AtomicInteger();
    private int takeAt;

    /** Empty, with room for so many writes under way, at least 1. */
    public CompletionRing(int writesMax) {
        slots = new Object[Integer.highestOneBit(Math.max(1, writesMax - 1)) << 1];
        mask = slots.length - 1;
    }

    /** Puts one; for any thread. */
    public void put(T write) {
        SLOT.setRelease(slots, putAt.getAndIncrement() & mask, write);
    }

    /** Takes the oldest, or null if there is none; for the worker. */
    @SuppressWarnings("unchecked") // Only put() fills slots.
    public @Nullable T take() {
        int slot = takeAt & mask;
        T write = (T) SLOT.getAcquire(slots, slot);
        if (write != null) {
            slots[slot] = null;
            takeAt++;
        }
        return write;
    }
}
