package io.guidepost.middlebox.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts of times by length, each within a sixteenth of its value. One thread records; any reads. */
final class Latencies {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int STEPS_SHIFT = 4;
    private static final int STEPS = 1 << STEPS_SHIFT;

    private final long[] cells = new long[(Long.SIZE - STEPS_SHIFT) << STEPS_SHIFT];

    void record(long nanos) {
        int cell = cell(Math.max(0, nanos));
        CELL.setOpaque(cells, cell, cells[cell] + 1);
    }

    static int cell(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - STEPS_SHIFT - Long.numberOfLeadingZeros(value);
        return (shift << STEPS_SHIFT) + (int) (value >>> shift);
    }

    /** The least value of a cell. */
    static long floor(int cell) {
        int shift = Math.max(0, (cell >>> STEPS_SHIFT) - 1);
        return (long) (cell - (shift << STEPS_SHIFT)) << shift;
    }

    /** The time that a share of all are no longer than, in nanoseconds; 0 of none. */
    long percentile(double share) {
        long all = 0;
        for (int i = 0; i < cells.length; i++) {
            all += get(i);
        }
        long rank = (long) Math.ceil(all * share);
        int last = 0;
        for (int i = 0; i < cells.length && rank > 0; i++) {
            if (get(i) > 0) {
                last = i;
                rank -= get(i);
            }
        }
        return floor(last);
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }
}
