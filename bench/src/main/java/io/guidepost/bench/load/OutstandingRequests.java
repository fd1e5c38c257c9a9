package io.guidepost.bench.load;

import java.util.function.LongConsumer;

/**
 * Outstanding requests by request id. The low bits of an id are a slot, the others a use count of the slot, so that a
 * late or repeated response is distinguished from an expected one. Free slots are reused last-in first-out: a small
 * window stays in the first-level cache. For one thread.
 */
final class OutstandingRequests {
    /** Result of {@link #slot} for an unexpected id. */
    public static final int NONE = -1;

    private static final long CLOSED = Long.MIN_VALUE;

    private final int capacity;
    private final int slotBits;
    private final int[] ids;
    private final long[] whats;
    private final long[] intendedNanos;
    private final long[] sentNanos;
    private final int[] free;
    private int freeCount;
    private int sweepAt;

    /**
     * Creates a table of free slots.
     *
     * @param capacity most outstanding requests, 1 to 2^22
     * @param seed first ids, so that responses to an earlier run are not taken for expected ones
     */
    public OutstandingRequests(int capacity, int seed) {
        if (capacity < 1 || capacity > 1 << 22) {
            throw new IllegalArgumentException("1 to " + (1 << 22) + " requests may wait at once, not " + capacity);
        }
        this.capacity = capacity;
        this.slotBits = Math.max(1, 32 - Integer.numberOfLeadingZeros(capacity - 1));
        this.ids = new int[capacity];
        this.whats = new long[capacity];
        this.intendedNanos = new long[capacity];
        this.sentNanos = new long[capacity];
        this.free = new int[capacity];
        for (int slot = 0; slot < capacity; slot++) {
            ids[slot] = seed << slotBits | slot;
            sentNanos[slot] = CLOSED;
            free[slot] = capacity - 1 - slot;
        }
        freeCount = capacity;
    }

    /** Returns the number of outstanding requests. */
    public int count() {
        return capacity - freeCount;
    }

    /** Returns the number of free slots. */
    public int room() {
        return freeCount;
    }

    /**
     * Takes a slot; the caller has checked {@link #room}.
     *
     * @param what any value to get back with the response
     * @return the request id to send
     */
    public int open(long what, long intended, long sent) {
        int slot = free[--freeCount];
        whats[slot] = what;
        intendedNanos[slot] = intended;
        sentNanos[slot] = sent;
        return ids[slot];
    }

    /** Returns the slot of an expected id, or {@link #NONE} for a late, repeated or unknown one. */
    public int slot(int id) {
        return slot(id, -1);
    }

    /**
     * Returns the slot of an id of which some bits are known.
     *
     * @param mask the known bits, more than are needed for as many slots
     */
    public int slot(int id, int mask) {
        int slot = id & (1 << slotBits) - 1;
        return slot < capacity && ((ids[slot] ^ id) & mask) == 0 && sentNanos[slot] != CLOSED ? slot : NONE;
    }

    public long what(int slot) {
        return whats[slot];
    }

    public long intendedNanos(int slot) {
        return intendedNanos[slot];
    }

    public long sentNanos(int slot) {
        return sentNanos[slot];
    }

    /** Frees a slot whose request was answered. */
    public void close(int slot) {
        ids[slot] += 1 << slotBits;
        sentNanos[slot] = CLOSED;
        free[freeCount++] = slot;
    }

    /**
     * Expires requests that were sent before a time. Checks a bounded number of slots per call and continues from
     * there.
     *
     * @param lost receives the slot of each, which is freed afterwards
     */
    public void expire(long sentBefore, int slotsMax, LongConsumer lost) {
        int looks = Math.min(slotsMax, capacity);
        for (int i = 0; i < looks; i++) {
            int slot = sweepAt;
            sweepAt = slot + 1 == capacity ? 0 : slot + 1;
            if (sentNanos[slot] != CLOSED && sentNanos[slot] - sentBefore < 0) {
                lost.accept(slot);
                close(slot);
            }
        }
    }
}
