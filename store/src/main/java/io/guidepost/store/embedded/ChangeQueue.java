package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded lock-free queue from many threads to the committer: a ring whose slots producers claim by compare-and-set
 * and publish by a volatile store (D. Vyukov's bounded MPMC queue with a single consumer). A full queue is the store's
 * backpressure.
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

    /**
     * A change on its way to the committer.
     *
     * @param writes what it writes if the record is still as its maker has read it; null if the committer makes it
     */
    record Entry(byte[] key, RecordStore.Change change, RecordStore.Completion completion, @Nullable WriteSet writes) {
        private static final RecordStore.Completion UNTOLD = (_, _) -> {};

        Entry(byte[] key, RecordStore.Change change, RecordStore.Completion completion) {
            this(key, change, completion, null);
        }

        static Entry derived(byte[] key, RecordStore.Replace change) {
            return new Entry(key, change, UNTOLD);
        }
    }

    ChangeQueue(int capacity) {
        ring = new Entry[capacity];
        mask = capacity - 1;
    }

    /** Appends an entry; false if the queue is full. For any thread. */
    boolean offer(Entry entry) {
        long at;
        do {
            at = (long) TAIL.getVolatile(this);
            if (at - (long) HEAD.getAcquire(this) > mask) {
                return false;
            }
        } while (!TAIL.compareAndSet(this, at, at + 1));
        // Volatile, so that a later read of whether the committer sleeps is not reordered before it.
        PLACE.setVolatile(ring, (int) at & mask, entry);
        return true;
    }

    /** Removes the first entry, or returns null if none is published yet. For the committer. */
    @Nullable Entry poll() {
        int place = (int) head & mask;
        Entry entry = (Entry) PLACE.getAcquire(ring, place);
        if (entry != null) {
            PLACE.setRelease(ring, place, null);
            HEAD.setRelease(this, head + 1);
        }
        return entry;
    }

    int size() {
        return (int) Math.max(0, tail - head);
    }
}
