package io.guidepost.packet;

import io.guidepost.base.Histogram;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * Counters of one queue. Its thread adds; any thread reads whole counts that may lag a moment behind. An increment is a
 * plain add to padded memory, so that no two queues share a cache line.
 */
@SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
public final class QueueStatistics {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs on either side of the cells: 128 bytes, as processors fetch lines in pairs. */
    private static final int PAD = 16;

    private static final int PACKETS = PAD;
    private static final int BYTES = PAD + 1;
    private static final int CALLS = PAD + 2;
    private static final int TRAINS = PAD + 3;
    private static final int DEFERRED = PAD + 4;
    private static final int DROPS = PAD + 5;
    private static final int REASONS = Drop.values().length;

    private final long[] cells = new long[DROPS + REASONS + PAD];
    private final Histogram burstSizes = Histogram.doubling();
    private final LongSupplier overflow;

    /** Creates counters at zero, of a queue without an overflow counter. */
    public QueueStatistics() {
        this(() -> 0);
    }

    /**
     * Creates counters at zero.
     *
     * @param overflow returns the packets lost before they reached the queue, for example from the kernel
     */
    public QueueStatistics(LongSupplier overflow) {
        this.overflow = overflow;
    }

    /** Returns the packets received, or sent. */
    public long packets() {
        return get(PACKETS);
    }

    /** Returns the bytes of those packets, without headers below them. */
    public long bytes() {
        return get(BYTES);
    }

    /** Returns the calls of the back end, with packets or without. */
    public long calls() {
        return get(CALLS);
    }

    /** Returns the segments: groups of more than one packet that the kernel handled as one (GRO, GSO). */
    public long aggregates() {
        return get(TRAINS);
    }

    /** Returns the packets that admission control deferred to a later turn. */
    public long deferred() {
        return get(DEFERRED);
    }

    /** Returns the packets dropped for a reason. */
    public long drops(Drop reason) {
        return get(DROPS + reason.ordinal()) + (reason == Drop.OVERFLOW ? overflow.getAsLong() : 0);
    }

    /** Returns the distribution of burst sizes. */
    public Histogram burstSizes() {
        return burstSizes;
    }

    /** Counts a call of the back end; this and the three below are for back ends, on the queue's thread. */
    public void call() {
        add(CALLS, 1);
    }

    /** Counts the packets of one burst. */
    public void burst(int packets, long bytes) {
        add(PACKETS, packets);
        add(BYTES, bytes);
        burstSizes.record(packets);
    }

    /** Counts segments. */
    public void aggregates(int number) {
        add(TRAINS, number);
    }

    /** Counts a packet that waits for a later turn. */
    public void defer() {
        add(DEFERRED, 1);
    }

    /** Counts dropped packets. */
    public void drop(Drop reason, int packets) {
        add(DROPS + reason.ordinal(), packets);
    }

    /** Adds what a queue counted that this one takes the place of; before its first packet. */
    public void add(QueueStatistics before) {
        for (int cell = PACKETS; cell < DROPS; cell++) {
            add(cell, before.get(cell));
        }
        for (Drop reason : Drop.values()) {
            add(DROPS + reason.ordinal(), before.drops(reason));
        }
        burstSizes.add(before.burstSizes);
    }

    private void add(int cell, long number) {
        CELL.setOpaque(cells, cell, cells[cell] + number);
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }
}
