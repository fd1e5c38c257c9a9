package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.GuidHashTable;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Says of every GUID whether it was heard to have changed since one looked last, for all workers at once: a row of
 * counters, of which each GUID has one and many share it. What is remembered of a record is good as long as its counter
 * stands where it stood when the record was asked for; so nothing has to be sent to other workers, and an answer that was
 * on its way while the record changed is not remembered. That another GUID of the same counter changed costs one question
 * more.
 */
public final class ChangeMarks {
    /** A quarter of a mebibyte: with a thousand changes in the lifetime of what is remembered 1.5 % is lost in vain. */
    private static final int SLOTS_MAX = 1 << 16;

    /** No more than one for so many bytes that may be remembered. */
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

    /** Where the counter of a GUID stands. */
    public int mark(MemorySegment segment, long guid) {
        return marks.get(slot(segment, guid));
    }

    /** A record has changed: what was remembered of it is forgotten everywhere. */
    public void changed(MemorySegment segment, long guid) {
        marks.incrementAndGet(slot(segment, guid));
    }
}
