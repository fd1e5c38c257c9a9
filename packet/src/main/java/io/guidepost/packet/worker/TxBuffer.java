package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.TxQueue;

/** Gathers frames for a queue: a full burst leaves at once, a partial one at the end of the turn. A duty of the queue's worker. */
public final class TxBuffer implements DutyCycle {
    private final TxQueue tx;
    private final Burst burst;

    /** Creates an empty buffer. */
    public TxBuffer(TxQueue tx) {
        this.tx = tx;
        this.burst = tx.burst();
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
        return burst;
    }

    /** Sends all pending frames; those that the queue refuses stay. */
    public int flush() {
        return burst.count() == 0 ? 0 : tx.send(burst);
    }

    @Override
    public int work(long nowMillis) {
        int before = burst.count();
        flush();
        // Remaining frames are work for the next turn: the worker must not sleep on them.
        return before;
    }

    @Override
    public long restNanos() {
        return burst.count() == 0 ? Long.MAX_VALUE : 0;
    }
}
