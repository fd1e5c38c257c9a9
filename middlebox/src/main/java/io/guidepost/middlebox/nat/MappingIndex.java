package io.guidepost.middlebox.nat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A hash index of mappings: open addressing in a preallocated array, the next row if one is taken; what is removed lets others
 * move back. One thread at a time changes it; any number of threads read it without a lock. A reader that finds nothing asks
 * {@link #isStill} whether an entry may have moved past it meanwhile, and looks again.
 *
 * <pre>
 *  row   hash 32 | mapping plus 1 32;  0 = free
 * </pre>
 */
final class MappingIndex {
    private static final VarHandle ROW = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MOVES;

    static {
        try {
            MOVES = MethodHandles.lookup().findVarHandle(MappingIndex.class, "moves", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] rows;
    private final int mask;

    /** Odd while entries move. */
    private int moves;

    /** Creates an empty index, of which no more than half will be used. */
    MappingIndex(int mappings) {
        rows = new long[Integer.highestOneBit(Math.max(1, 2 * mappings - 1)) << 1];
        mask = rows.length - 1;
    }

    /** Returns where a hash begins. */
    int home(int hash) {
        return hash & mask;
    }

    int after(int row) {
        return row + 1 & mask;
    }

    /** Returns the content of a row, 0 if it is free. */
    long row(int row) {
        return (long) ROW.getAcquire(rows, row);
    }

    static int hash(long content) {
        return (int) (content >>> 32);
    }

    static int mapping(long content) {
        return (int) content - 1;
    }

    /** Returns the present state of the index, for {@link #isStill}. */
    int moves() {
        return (int) MOVES.getAcquire(this);
    }

    /** Returns whether no entry has moved since a state. */
    boolean isStill(int since) {
        VarHandle.acquireFence();
        return (since & 1) == 0 && (int) MOVES.getOpaque(this) == since;
    }

    void add(int hash, int mapping) {
        int at = home(hash);
        while (rows[at] != 0) {
            at = after(at);
        }
        ROW.setRelease(rows, at, (long) hash << 32 | mapping + 1);
    }

    void remove(int hash, int mapping) {
        long content = (long) hash << 32 | mapping + 1;
        int hole = home(hash);
        while (rows[hole] != content) {
            hole = after(hole);
        }
        MOVES.setOpaque(this, moves + 1);
        VarHandle.storeStoreFence();
        for (int at = after(hole); rows[at] != 0; at = after(at)) {
            // An entry moves back into the gap if that is between its home and its current row.
            if ((at - home(hash(rows[at])) & mask) >= (at - hole & mask)) {
                ROW.setOpaque(rows, hole, rows[at]);
                hole = at;
            }
        }
        ROW.setOpaque(rows, hole, 0L);
        MOVES.setRelease(this, moves + 1);
    }
}
