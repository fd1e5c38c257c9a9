package io.guidepost.gnrs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded lock-free queue of completed writes, many producers to one consumer, first in, first out. The committer
 * puts, and so does the thread that closes a store and fails the rest; the worker takes. The ring has a slot for every
 * write in flight, so a put always finds a free one.
 *
 * @param <T> a write
 */
public final class CompletionRing<T> {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] slots;

    private final int mask;
    private final AtomicInteger putAt = new AtomicInteger();
    private int takeAt;

    /** Creates an empty ring with room for {@code writesMax} writes in flight, at least 1. */
    public CompletionRing(int writesMax) {
        slots = new Object[Integer.highestOneBit(Math.max(1, writesMax - 1)) << 1];
        mask = slots.length - 1;
    }

    /** Puts a write; any thread may call. */
    public void put(T write) {
        SLOT.setRelease(slots, putAt.getAndIncrement() & mask, write);
    }

    /** Takes the oldest write, or returns null if there is none; the worker calls. */
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
