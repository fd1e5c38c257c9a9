package io.guidepost.packet.worker;

import io.guidepost.base.Histogram;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counters of one worker. Its thread adds; any thread reads. */
public final class WorkerStatistics {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int PAD = 16;
    private static final int TURNS = PAD;
    private static final int MOVED = PAD + 1;
    private static final int SLEEPS = PAD + 2;
    private static final int NAPS = PAD + 3;
    private static final int FAULTS = PAD + 4;
    private static final int REAL_TIME = PAD + 5;
    private static final int REAL_TIME_ENDS = PAD + 6;

    private final long[] cells = new long[REAL_TIME_ENDS + 1 + PAD];
    private final Histogram serviceNanos = Histogram.doubling();

    WorkerStatistics() {}

    /** Returns the turns through all duties. */
    public long turns() {
        return get(TURNS);
    }

    /** Returns the packets or other pieces of work moved. */
    public long moved() {
        return get(MOVED);
    }

    /** Returns the number of sleeps until an arrival or the longest sleep. */
    public long sleeps() {
        return get(SLEEPS);
    }

    /** Returns the number of coalescing sleeps. */
    public long coalescingSleeps() {
        return get(NAPS);
    }

    /** Returns the exceptions that escaped a duty. */
    public long faults() {
        return get(FAULTS);
    }

    /** Returns whether it runs under SCHED_FIFO. */
    public boolean isRealTime() {
        return get(REAL_TIME) != 0;
    }

    /** Returns how often it left SCHED_FIFO because it hardly slept, or was stuck in a turn. */
    public long realTimeEnds() {
        return get(REAL_TIME_ENDS);
    }

    /** Returns the distribution of busy turns' durations, in nanoseconds. */
    public Histogram serviceNanos() {
        return serviceNanos;
    }

    void turn() {
        add(TURNS, 1);
    }

    void busyTurn(int moved, long nanos) {
        add(MOVED, moved);
        serviceNanos.record(nanos);
    }

    void sleep() {
        add(SLEEPS, 1);
    }

    void countCoalescingSleep() {
        add(NAPS, 1);
    }

    void fault() {
        add(FAULTS, 1);
    }

    void realTime(boolean active) {
        CELL.setOpaque(cells, REAL_TIME, active ? 1 : 0);
        if (!active) {
            add(REAL_TIME_ENDS, 1);
        }
    }

    private void add(int cell, long number) {
        CELL.setOpaque(cells, cell, cells[cell] + number);
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }
}
