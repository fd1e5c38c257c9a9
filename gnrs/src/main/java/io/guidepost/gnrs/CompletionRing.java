package io.guidepost.gnrs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes that came back from the committer, in order; no lock. The worker takes. The committer puts, and when a store
 * closes whoever tells the rest that they failed. There are never more writes under way than it has slots, so a put
 * always finds one.
 */
final class CompletionRing {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Write[].class);

    private final @Nullable Write[] slots;

    private final int mask;
    private final AtomicInteger putAt = new AtomicInteger();
    private int takeAt;

    CompletionRing(int writesMax) {
        slots = new Write[Integer.highestOneBit(Math.max(1, writesMax - 1)) << 1];
        mask = slots.length - 1;
    }

    /** Puts one; for any thread. */
    void put(Write write) {
        SLOT.setRelease(slots, putAt.getAndIncrement() & mask, write);
    }

    /** Takes the oldest, or null if there is none; for the worker. */
    @Nullable Write take() {
        int slot = takeAt & mask;
        Write write = (Write) SLOT.getAcquire(slots, slot);
        if (write != null) {
            slots[slot] = null;
            takeAt++;
        }
        return write;
    }
}
