package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from many threads to the committer: a ring whose places are claimed by a compare-and-set and shown by
 * a volatile store (Lamport's ring with D. Vyukov's claiming). Neither side takes a lock.
 */
final class ChangeQueue {
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Entry[].class);
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(ChangeQueue.class, "tail", long.class);
            HEAD = MethodHandles.lookup().findVarHandle(ChangeQueue.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Entry[] ring;
    private final int mask;

    @SuppressWarnings("unused") // Through its handle.
    private volatile long tail;

    @SuppressWarnings("unused") // Keeps the producers' counter off the cache line of the consumer's.
    private final long[] apart = new long[16];

    @SuppressWarnings("unused") // Through its handle.
    private volatile long head;

    /** One change that waits. */
    record Entry(byte[] key, RecordStore.Change change, RecordStore.Completion completion) {}

    ChangeQueue(int capacity) {
        ring = new Entry[capacity];
        mask = capacity - 1;
    }

    /** Puts an entry behind the others; false if there is no room. By any thread. */
    boolean offer(Entry entry) {
        long at;
        do {
            at = (long) TAIL.getVolatile(this);
            if (at - (long) HEAD.getAcquire(this) > mask) {
                return false;
            }
        } while (!TAIL.compareAndSet(this, at, at + 1));
        // Volatile, so that who looks next whether the committer sleeps cannot have looked before.
        PLACE.setVolatile(ring, (int) at & mask, entry);
        return true;
    }

    /** Takes the first entry, or null if none is there yet. By the committer. */
    @Nullable Entry poll() {
        int place = (int) head & mask;
        Entry entry = (Entry) PLACE.getAcquire(ring, place);
        if (entry != null) {
            PLACE.setRelease(ring, place, null);
            HEAD.setRelease(this, head + 1);
        }
        return entry;
    }

    /** About how many wait. */
    int size() {
        return (int) Math.max(0, tail - head);
    }
}
