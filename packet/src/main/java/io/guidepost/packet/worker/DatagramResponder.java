package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The commonest duty: takes a burst from a queue, gives each packet to a {@link DatagramHandler}, and sends what that answers
 * in one burst, on the same thread. What the port does not take at once is offered again in the next turn.
 */
public final class DatagramResponder implements DutyCycle {
    private static final Logger LOG = System.getLogger(DatagramResponder.class.getName());

    /** Packets from which on a look ahead of them is worth its time: the processor overlaps two by itself. */
    private static final int AHEAD_LEAST = 4;

    private final RxQueue rx;
    private final TxQueue tx;
    private final DatagramHandler handler;
    private final TxBuffer answers;
    private final Burst in;
    private final Burst out;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** Answers on one queue what comes in on another, mostly the pair of one number of one port. */
    public DatagramResponder(RxQueue rx, TxQueue tx, DatagramHandler handler) {
        this(rx, tx, handler, 0);
    }

    /**
     * The same with answers that wait for others.
     *
     * @param flushNanos how long the first answer of a burst that is not full may wait; 0 sends in every turn
     */
    public DatagramResponder(RxQueue rx, TxQueue tx, DatagramHandler handler, long flushNanos) {
        this(rx, tx, handler, new TxBuffer(tx, flushNanos));
    }

    DatagramResponder(RxQueue rx, TxQueue tx, DatagramHandler handler, TxBuffer answers) {
        this.rx = rx;
        this.tx = tx;
        this.handler = handler;
        this.answers = answers;
        this.in = rx.burst();
        this.out = answers.room();
    }

    @Override
    public int work(long nowMillis) {
        int received = rx.receive(in);
        handler.begin(nowMillis);
        answers.room();
        if (received >= AHEAD_LEAST) {
            handler.ahead(in);
        }
        for (int i = 0; i < received; i++) {
            handle(i, nowMillis);
        }
        if (out.count() > 0 && handler.holdsBack()) {
            // Whoever need not wait does not wait for those who must.
            sendAway();
        }
        handler.end(out);
        return Math.max(received, answers.work(nowMillis));
    }

    @Override
    public long restNanos() {
        return Math.min(handler.restNanos(), answers.restNanos());
    }

    private void handle(int index, long nowMillis) {
        if (!out.hasRoom()) {
            sendAway();
        }
        try {
            handler.packet(in, index, out);
        } catch (Throwable t) {
            // One packet that a handler cannot stand must not cost the others of its burst.
            fault(t, nowMillis);
        }
        out.reuse(in, index);
    }

    private void sendAway() {
        if (answers.flush() > 0 && !out.hasRoom()) {
            tx.drop(out);
        }
        // What is gathered from now on has all of its time.
        answers.room();
    }

    private void fault(Throwable fault, long nowMillis) {
        rx.statistics().drop(Drop.FAULT, 1);
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + PacketLimits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "a packet was dropped because its handler failed", fault);
        }
    }
}
