package io.guidepost.middlebox.nat;

/**
 * What was seen lately, with a number for each: a key may be in some rows from where its hash points, and the one that
 * would end first makes place. So it never grows, and forgets early only when it is crowded. One thread's.
 */
final class RecentTable {
    static final long NONE = -1;

    private final long[] high;
    private final long[] low;
    private final long[] value;
    private final long[] untilMillis;
    private final int mask;

    /** An empty table of a power of two rows. */
    RecentTable(int rows) {
        high = new long[rows];
        low = new long[rows];
        value = new long[rows];
        untilMillis = new long[rows];
        mask = rows - 1;
    }

    private int row(long keyHigh, long keyLow) {
        long mixed = (keyHigh * 0x9e37_79b9_7f4a_7c15L ^ keyLow) * 0xbf58_476d_1ce4_e5b9L;
        return (int) (mixed >>> 40) & mask;
    }

    /** The number that was put last, or {@link #NONE}. */
    long find(long keyHigh, long keyLow, long nowMillis) {
        int at = row(keyHigh, keyLow);
        for (int i = 0; i < Limits.PROBES; i++) {
            int row = at + i & mask;
            if (high[row] == keyHigh && low[row] == keyLow && nowMillis < untilMillis[row]) {
                return value[row];
            }
        }
        return NONE;
    }

    /** Puts a number, 0 or more. */
    void put(long keyHigh, long keyLow, long number, long until) {
        int at = row(keyHigh, keyLow);
        int chosen = at;
        for (int i = 0; i < Limits.PROBES; i++) {
            int row = at + i & mask;
            if (high[row] == keyHigh && low[row] == keyLow) {
                chosen = row;
                break;
            }
            chosen = untilMillis[row] < untilMillis[chosen] ? row : chosen;
        }
        high[chosen] = keyHigh;
        low[chosen] = keyLow;
        value[chosen] = number;
        untilMillis[chosen] = until;
    }
}
