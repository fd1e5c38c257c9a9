package io.guidepost.store.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Says when memory that was unlinked can be used again: when no reader that might still look at it is in a burst.
 *
 * <p>A reader announces the epoch it saw when it enters and 0 when it leaves. The writer unlinks memory, stamps it with
 * the epoch, and moves the epoch on; the memory is free once every announced epoch is later than its stamp (epoch-based
 * reclamation, K. Fraser, Practical lock-freedom, 2004, section 5.2.3). A reader that saw the old epoch but announced
 * it after the writer had looked is harmless: fences on both sides make it see the unlinking.
 */
final class EpochReclaimer {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of a reader's cell, so that no two share a cache line. */
    private static final int PAD = 16;

    private volatile long current = 1;
    private volatile long[][] cells = new long[0][];
    private final ArrayDeque<Retired> limbo = new ArrayDeque<>();

    private record Retired(long stamp, Runnable free) {}

    /** A cell for a new reader. */
    synchronized long[] register() {
        long[] cell = new long[PAD + 1 + PAD];
        long[][] more = Arrays.copyOf(cells, cells.length + 1);
        more[cells.length] = cell;
        cells = more;
        return cell;
    }

    /** Called by a reader: from now on nothing that it can reach is reused. */
    void enter(long[] cell) {
        CELL.setOpaque(cell, PAD, current);
        VarHandle.fullFence();
    }

    /** Called by a reader: it has forgotten all it saw. */
    void exit(long[] cell) {
        CELL.setRelease(cell, PAD, 0L);
    }

    /** Called by the writer when no new reader can reach something: frees it when no old one can either. */
    void retire(Runnable free) {
        long stamp = current;
        limbo.add(new Retired(stamp, free));
        current = stamp + 1;
        VarHandle.fullFence();
    }

    /** Called by the writer from time to time: frees what it can. */
    void reclaim() {
        if (limbo.isEmpty()) {
            return;
        }
        VarHandle.fullFence();
        long oldest = Long.MAX_VALUE;
        for (long[] cell : cells) {
            long epoch = (long) CELL.getAcquire(cell, PAD);
            oldest = epoch == 0 ? oldest : Math.min(oldest, epoch);
        }
        while (!limbo.isEmpty() && limbo.getFirst().stamp < oldest) {
            limbo.removeFirst().free.run();
        }
    }

    /** Things that wait for readers. */
    int waiting() {
        return limbo.size();
    }
}
