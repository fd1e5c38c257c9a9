package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.GuidHashTable;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Change counters for cache invalidation across all workers: each GUID has a counter in a fixed array, which it shares
 * with others. A cached record is valid while its counter has the value that it had when the record was requested. So
 * workers need no messages to invalidate, and a response that was in flight while the record changed is not cached. A
 * change of another GUID with the same counter costs one request more.
 */
public final class ChangeMarks {
    /**
     * A quarter of a mebibyte: with a thousand changes in the lifetime of cached records 1.5 % of them are invalidated
     * in vain.
     */
    private static final int SLOTS_MAX = 1 << 16;

    /** At most one counter for this many bytes of cache. */
    private static final int BYTES_A_SLOT = 256;

    private final AtomicIntegerArray marks;
    private final long secret;

    ChangeMarks(long secret, int cacheBytesMax) {
        int slots = Math.clamp(cacheBytesMax / BYTES_A_SLOT, 1, SLOTS_MAX);
        this.marks = new AtomicIntegerArray(Integer.highestOneBit(slots));
        this.secret = secret;
    }

    private int slot(MemorySegment segment, long guid) {
        return (int) GuidHashTable.hash(secret, segment, guid) & marks.length() - 1;
    }

    /** Returns the value of the counter of a GUID. */
    public int mark(MemorySegment segment, long guid) {
        return marks.get(slot(segment, guid));
    }

    /** Increments the counter of a changed record: all workers drop what they cached of it. */
    public void changed(MemorySegment segment, long guid) {
        marks.incrementAndGet(slot(segment, guid));
    }
}
