package io.guidepost.middlebox.firewall;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts of one rule: a pair of cells for each way through the firewall, written by its thread alone. */
final class RuleCounter {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs for each way: 64 bytes, so that no two threads write into one cache line. */
    private static final int WAY_SHIFT = 3;

    private final long[] cells;

    RuleCounter(int ways) {
        cells = new long[(ways + 1) << WAY_SHIFT];
    }

    /**
     * Counts a packet; for the thread of that way. Plain stores: one thread writes, and who reads is content with what was
     * true a moment ago. Through a VarHandle it was a call for each packet, where the method around it had grown large.
     */
    void add(int way, int bytes) {
        int at = way + 1 << WAY_SHIFT;
        cells[at]++;
        cells[at + 1] += bytes;
    }

    long packets() {
        return sum(0);
    }

    long bytes() {
        return sum(1);
    }

    private long sum(int place) {
        long sum = 0;
        for (int at = 1 << WAY_SHIFT; at < cells.length; at += 1 << WAY_SHIFT) {
            sum += (long) CELL.getOpaque(cells, at + place);
        }
        return sum;
    }
}
