package io.guidepost.store.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Epoch-based reclamation: memory that the writer unlinked is reused once no reader in a burst can still reach it.
 *
 * <p>A reader announces the current epoch when it enters and 0 when it leaves. The writer unlinks memory, stamps it
 * with the epoch, and advances the epoch; the memory is free once every announced epoch is later than its stamp (K.
 * Fraser, Practical lock-freedom, 2004, section 5.2.3). A reader that loaded the old epoch but announced it after the
 * writer's check is harmless: fences on both sides make it see the unlinking.
 */
final class EpochReclaimer {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of a reader's cell, so that no two share a cache line. */
    private static final int PAD = 16;

    private volatile long current = 1;
    private volatile long[][] cells = new long[0][];
    private final ArrayDeque<Retired> limbo = new ArrayDeque<>();

    private record Retired(long stamp, Runnable free) {}

    synchronized long[] register() {
        long[] cell = new long[PAD + 1 + PAD];
        long[][] more = Arrays.copyOf(cells, cells.length + 1);
        more[cells.length] = cell;
        cells = more;
        return cell;
    }

    /** Enters the current epoch: nothing that the reader can reach is reused from now on. */
    void enter(long[] cell) {
        CELL.setOpaque(cell, PAD, current);
        VarHandle.fullFence();
    }

    /** Leaves the epoch: the reader holds no reference any more. */
    void exit(long[] cell) {
        CELL.setRelease(cell, PAD, 0L);
    }

    /** Defers a release until no reader can hold a reference; for the writer. */
    void retire(Runnable free) {
        long stamp = current;
        limbo.add(new Retired(stamp, free));
        current = stamp + 1;
        VarHandle.fullFence();
    }

    /** Runs the releases that are due; for the writer. */
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

    int waiting() {
        return limbo.size();
    }
}
