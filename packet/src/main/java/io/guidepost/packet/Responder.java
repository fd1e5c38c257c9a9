package io.guidepost.packet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The commonest duty: takes a burst from a queue, gives each packet to a {@link Handler}, and sends what that answers
 * in one burst, on the same thread. What the port does not take at once is offered again in the next turn.
 */
public final class Responder implements Duty {
    private static final Logger LOG = System.getLogger(Responder.class.getName());

    private final RxQueue rx;
    private final TxQueue tx;
    private final Handler handler;
    private final Burst in;
    private final Burst out;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** Answers on one queue what comes in on another, mostly the pair of one number of one port. */
    public Responder(RxQueue rx, TxQueue tx, Handler handler) {
        this.rx = rx;
        this.tx = tx;
        this.handler = handler;
        this.in = rx.burst();
        this.out = tx.burst();
    }

    @Override
    public int work(long nowMillis) {
        int received = rx.receive(in);
        handler.begin(nowMillis);
        for (int i = 0; i < received; i++) {
            handle(i, nowMillis);
        }
        handler.end(out);
        int answers = out.count();
        if (answers == 0) {
            return received;
        }
        // What stayed is work for the next turn: the worker must not sleep on it.
        int left = send();
        return left > 0 ? Math.max(received, 1) : Math.max(received, answers);
    }

    @Override
    public long restNanos() {
        return handler.restNanos();
    }

    private void handle(int index, long nowMillis) {
        if (!out.hasRoom() && send() > 0 && !out.hasRoom()) {
            tx.drop(out);
        }
        try {
            handler.packet(in, index, out);
        } catch (Throwable t) {
            // One packet that a handler cannot stand must not cost the others of its burst.
            fault(t, nowMillis);
        }
    }

    private int send() {
        return tx.send(out);
    }

    private void fault(Throwable fault, long nowMillis) {
        rx.statistics().drop(Drop.FAULT, 1);
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + Limits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "a packet was dropped because its handler failed", fault);
        }
    }
}
