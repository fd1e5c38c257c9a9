package io.guidepost.bench.load;

import java.util.function.LongConsumer;

/**
 * The requests that wait for their answers, found by request id. An id names a slot in its low bits and how often the
 * slot was used in the others, so an answer that comes after its time was up, or twice, is told from one that is
 * awaited. Free slots are reused last-in first-out: a small window stays in the first cache. For one thread.
 */
public final class OutstandingRequests {
    /** What {@link #slot} says of an id that is not awaited. */
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
     * Room for requests, all free.
     *
     * @param capacity how many may wait at once, 1 to 2^22
     * @param seed where the ids begin, so that answers meant for an earlier run are not taken for ours
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

    /** How many wait. */
    public int count() {
        return capacity - freeCount;
    }

    /** How many more may. */
    public int room() {
        return freeCount;
    }

    /**
     * Takes a slot; the caller has seen that there is room.
     *
     * @param what anything the caller wants back with the answer
     * @return the request id to send
     */
    public int open(long what, long intended, long sent) {
        int slot = free[--freeCount];
        whats[slot] = what;
        intendedNanos[slot] = intended;
        sentNanos[slot] = sent;
        return ids[slot];
    }

    /** The slot of an id that is awaited, or {@link #NONE} for one that is late, repeated or strange. */
    public int slot(int id) {
        int slot = id & (1 << slotBits) - 1;
        return slot < capacity && ids[slot] == id && sentNanos[slot] != CLOSED ? slot : NONE;
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
     * Gives up requests that were sent before a time. Looks at a bounded number of slots and goes on from there the
     * next time, so that a caller in a hurry may call it often.
     *
     * @param lost told the slot of each, which is freed afterwards
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
