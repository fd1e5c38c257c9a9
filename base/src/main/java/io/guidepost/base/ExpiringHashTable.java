package io.guidepost.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A hash table of bounded size whose entries expire: a number for each key of 192 bits. A key may be in one of eight rows from
 * where its hash points (open addressing), and the row that expires first makes place. So the table never grows, and evicts
 * early only when it is crowded, which is counted.
 *
 * <p>Any number of threads share it without a lock. Each row has a sequence lock: its version is odd while another key is
 * written. A reader that finds that looks again, and a second writer leaves the row to the first: both were about to write
 * what was seen just now.
 *
 * <pre>
 *  row   version 64 | key: high 64, low 64, extra 64 | number 64 | until 64, in milliseconds
 * </pre>
 */
public final class ExpiringHashTable {
    /** Result for a key without an entry. */
    public static final long NONE = -1;

    /** Rows that a key may be in: more make each lookup longer, fewer evict more. */
    private static final int PROBES = 8;

    /** A row that would last less than this longer is left alone, so that threads do not write it with each packet. */
    private static final long RENEW_MILLIS = 1_000;

    /** Attempts to read a row under concurrent writes, which take nanoseconds each. */
    private static final int LOOKS = 1_000;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int VERSION = 0;
    private static final int HIGH = 1;
    private static final int LOW = 2;
    private static final int EXTRA = 3;
    private static final int NUMBER = 4;
    private static final int UNTIL = 5;
    private static final int CELLS = 6;

    private final long[] cells;
    private final int mask;

    /** The last cell: entries evicted before they expired. */
    private final int crowded;

    /** Creates an empty table. */
    public ExpiringHashTable(int rows) {
        cells = new long[rows * CELLS + 1];
        crowded = rows * CELLS;
        mask = rows - 1;
    }

    private int first(long high, long low, long extra) {
        long mixed = ((high ^ extra * 0x94d0_49bb_1331_11ebL) * 0x9e37_79b9_7f4a_7c15L ^ low) * 0xbf58_476d_1ce4_e5b9L;
        return (int) (mixed >>> 40) & mask;
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }

    private void set(int cell, long value) {
        CELL.setOpaque(cells, cell, value);
    }

    private boolean has(int row, long high, long low, long extra) {
        return get(row + LOW) == low && get(row + HIGH) == high && get(row + EXTRA) == extra;
    }

    /** Returns the number of a key, or {@link #NONE} if it has expired at a time. */
    public long find(long high, long low, long extra, long atMillis) {
        int at = first(high, low, extra);
        for (int i = 0; i < PROBES; i++) {
            int row = (at + i & mask) * CELLS;
            long version = (long) CELL.getAcquire(cells, row + VERSION);
            if (has(row, high, low, extra)) {
                long number = get(row + NUMBER);
                long until = get(row + UNTIL);
                VarHandle.acquireFence();
                boolean whole = (version & 1) == 0 && get(row + VERSION) == version;
                if (!whole) {
                    number = findAgain(row, high, low, extra, atMillis);
                } else if (atMillis >= until) {
                    number = NONE;
                }
                if (number != NONE) {
                    return number;
                }
            }
        }
        return NONE;
    }

    /** Repeats {@link #find} for a row under a concurrent write. */
    private long findAgain(int row, long high, long low, long extra, long atMillis) {
        for (int i = 0; i < LOOKS; i++) {
            long version = (long) CELL.getAcquire(cells, row + VERSION);
            boolean found = has(row, high, low, extra) && atMillis < get(row + UNTIL);
            long number = get(row + NUMBER);
            VarHandle.acquireFence();
            if ((version & 1) == 0 && get(row + VERSION) == version) {
                return found ? number : NONE;
            }
            Thread.onSpinWait();
        }
        return NONE;
    }

    /** Puts a number of 0 or more, with a lifetime; a present entry may keep a lifetime up to a second shorter. */
    public void put(long high, long low, long extra, long number, long nowMillis, long lastsMillis) {
        long until = nowMillis + lastsMillis;
        int at = first(high, low, extra);
        int chosen = (at & mask) * CELLS;
        for (int i = 0; i < PROBES; i++) {
            int row = (at + i & mask) * CELLS;
            if (has(row, high, low, extra)) {
                renew(row, high, low, extra, number, until);
                return;
            }
            chosen = get(row + UNTIL) < get(chosen + UNTIL) ? row : chosen;
        }
        if (nowMillis < get(chosen + UNTIL)) {
            CELL.getAndAdd(cells, crowded, 1L);
        }
        write(chosen, high, low, extra, number, until);
    }

    private void renew(int row, long high, long low, long extra, long number, long until) {
        long longer = until - get(row + UNTIL);
        if (get(row + NUMBER) != number) {
            write(row, high, low, extra, number, until);
        } else if (longer < 0 || longer >= RENEW_MILLIS) {
            // A key written at this moment by another thread may get a wrong lifetime once.
            set(row + UNTIL, until);
        }
    }

    private void write(int row, long high, long low, long extra, long number, long until) {
        long version = get(row + VERSION);
        if ((version & 1) != 0 || !CELL.compareAndSet(cells, row + VERSION, version, version + 1)) {
            return;
        }
        set(row + HIGH, high);
        set(row + LOW, low);
        set(row + EXTRA, extra);
        set(row + NUMBER, number);
        set(row + UNTIL, until);
        CELL.setRelease(cells, row + VERSION, version + 2);
    }

    /** Returns the number of entries that have not expired. */
    public int count(long nowMillis) {
        int count = 0;
        for (int row = 0; row < crowded; row += CELLS) {
            count += nowMillis < get(row + UNTIL) ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of entries evicted before they expired. */
    public long crowded() {
        return get(crowded);
    }
}
