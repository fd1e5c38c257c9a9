package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.TxQueue;
import java.util.function.LongSupplier;

/**
 * Gathers frames for a queue until there is a burst of them, or the first has waited long enough: whole bursts when
 * there is much to send, small delay when there is little. It is a duty of the worker that has the queue.
 */
public final class TxBuffer implements DutyCycle {
    private final TxQueue tx;
    private final Burst burst;
    private final long flushNanos;
    private final LongSupplier clockNanos;
    private long waitingSince;

    /**
     * An empty buffer.
     *
     * @param flushNanos how long a frame may wait for others; 0 sends in every turn
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

    /** Takes a frame to send; if there is no room even after sending, it stays where it is, and is counted as dropped. */
    public boolean take(Burst from, int index) {
        Burst into = room();
        boolean taken = into.take(from, index);
        if (!taken) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
        }
        return taken;
    }

    /** Returns the burst that is gathered, with room for a frame if there can be any. */
    public Burst room() {
        if (burst.isFull()) {
            tx.send(burst);
        }
        if (burst.count() == 0) {
            waitingSince = flushNanos == 0 ? 0 : clockNanos.getAsLong();
        }
        return burst;
    }

    /** Sends all that waits; what the queue has no place for stays. */
    public int flush() {
        return burst.count() == 0 ? 0 : tx.send(burst);
    }

    /** Sends what has waited long enough. */
    @Override
    public int work(long nowMillis) {
        int before = burst.count();
        if (before == 0 || before < burst.capacity() && !isDue()) {
            return 0;
        }
        flush();
        // What stayed is work for the next turn: the worker must not sleep on it.
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
