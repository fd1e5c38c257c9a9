package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.TxQueue;
import java.util.function.LongSupplier;

/**
 * Gathers frames for a queue until a burst is full or the first frame has waited long enough: full bursts under load,
 * low latency otherwise. A duty of the queue's worker.
 */
public final class TxBuffer implements DutyCycle {
    private final TxQueue tx;
    private final Burst burst;
    private final long flushNanos;
    private final LongSupplier clockNanos;
    private long waitingSince;

    /**
     * Creates an empty buffer.
     *
     * @param flushNanos longest wait of a frame for others; 0 sends in every turn
     */
    public TxBuffer(TxQueue tx, long flushNanos) {
        this(tx, flushNanos, System::nanoTime);
    }

    TxBuffer(TxQueue tx, long flushNanos, LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        this.tx = tx;
        this.burst = tx.burst();
        this.flushNanos = flushNanos;
    }

    /** Takes a frame to send; if there is no room even after a flush, the frame stays in its burst and counts as dropped. */
    public boolean take(Burst from, int index) {
        Burst into = room();
        boolean taken = into.take(from, index);
        if (!taken) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
        }
        return taken;
    }

    /** Returns the pending burst, flushed first if it is full. */
    public Burst room() {
        if (burst.isFull()) {
            tx.send(burst);
        }
        if (burst.count() == 0) {
            waitingSince = flushNanos == 0 ? 0 : clockNanos.getAsLong();
        }
        return burst;
    }

    /** Sends all pending frames; those that the queue refuses stay. */
    public int flush() {
        return burst.count() == 0 ? 0 : tx.send(burst);
    }

    /** Flushes when the first frame has waited long enough. */
    @Override
    public int work(long nowMillis) {
        int before = burst.count();
        if (before == 0 || before < burst.capacity() && !isDue()) {
            return 0;
        }
        flush();
        // Remaining frames are work for the next turn: the worker must not sleep on them.
        return before;
    }

    @Override
    public long restNanos() {
        return burst.count() == 0 ? Long.MAX_VALUE : Math.max(0, waitingSince + flushNanos - clockNanos.getAsLong());
    }

    private boolean isDue() {
        return flushNanos == 0 || clockNanos.getAsLong() - waitingSince >= flushNanos;
    }
}
