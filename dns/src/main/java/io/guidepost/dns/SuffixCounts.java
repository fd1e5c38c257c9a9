package io.guidepost.dns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many names there are below a domain name, by a hash of it: a table with open addressing. One thread writes, any reads without
 * a lock: a row's hash is written after its count, and never changes; a table that is half full is copied to another one.
 */
final class SuffixCounts {
    private static final VarHandle HASHES = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int ROWS_MIN = 1 << 10;

    /** Rows of 12 bytes; as many as a power of two. */
    @SuppressWarnings("ArrayRecordComponent") // Shared on purpose.
    private record Rows(long[] hashes, int[] counts) {
        Rows(int rows) {
            this(new long[rows], new int[rows]);
        }

        int row(long hash) {
            int mask = hashes.length - 1;
            int row = (int) hash & mask;
            for (long found = (long) HASHES.getAcquire(hashes, row); found != hash && found != 0; ) {
                row = row + 1 & mask;
                found = (long) HASHES.getAcquire(hashes, row);
            }
            return row;
        }
    }

    private final int rowsMax;
    private volatile Rows rows = new Rows(ROWS_MIN);
    private int used;
    private int live;

    /** Creates it empty; a power of two bounds its rows, of which half are used. */
    SuffixCounts(int rowsMax) {
        this.rowsMax = rowsMax;
    }

    /** Returns whether there are names below the one with a hash, which is not 0. */
    boolean contains(long hash) {
        Rows now = rows;
        int row = now.row(hash);
        return (long) HASHES.getAcquire(now.hashes, row) == hash && (int) COUNTS.getAcquire(now.counts, row) > 0;
    }

    /** Returns for how many domain names {@link #contains} is true. */
    int size() {
        return live;
    }

    /** Counts names that come or go; returns false if there is no room for one more. The writer calls. */
    boolean add(long hash, int change) {
        int row = rows.row(hash);
        if (rows.hashes[row] == 0) {
            if (2 * used >= rows.hashes.length && !grow()) {
                return false;
            }
            row = rows.row(hash);
            used++;
        }
        int before = rows.counts[row];
        live += before == 0 ? 1 : before + change == 0 ? -1 : 0;
        COUNTS.setRelease(rows.counts, row, before + change);
        HASHES.setRelease(rows.hashes, row, hash);
        return true;
    }

    /** Copies the rows that count something to a table with room; returns false if that would be too large. */
    private boolean grow() {
        Rows old = rows;
        int length = 4L * live >= old.hashes.length ? 2 * old.hashes.length : old.hashes.length;
        if (length > rowsMax) {
            return false;
        }
        Rows next = new Rows(length);
        for (int i = 0; i < old.hashes.length; i++) {
            if (old.counts[i] != 0) {
                int row = next.row(old.hashes[i]);
                next.hashes[row] = old.hashes[i];
                next.counts[row] = old.counts[i];
            }
        }
        used = live;
        rows = next;
        return true;
    }
}
