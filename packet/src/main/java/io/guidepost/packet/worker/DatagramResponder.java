package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;

/**
 * The duty cycle of a server: receives a burst, passes each packet to a {@link DatagramHandler}, and sends all
 * responses in one burst on the same thread. Packets that the port refuses under backpressure are retried in the next
 * turn.
 */
public final class DatagramResponder implements DutyCycle {
    private static final Logger LOG = System.getLogger(DatagramResponder.class.getName());

    /** Packets from which on prefetching pays: the processor overlaps two by itself. */
    private static final int AHEAD_LEAST = 4;

    private final RxQueue rx;
    private final TxQueue tx;
    private final DatagramHandler handler;
    private final TxBuffer answers;
    private final Burst in;
    private final Burst out;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** Responds on one queue to what arrives on another, usually the pair of one number of one port. */
    public DatagramResponder(RxQueue rx, TxQueue tx, DatagramHandler handler) {
        this.rx = rx;
        this.tx = tx;
        this.handler = handler;
        this.answers = new TxBuffer(tx);
        this.in = rx.burst();
        this.out = answers.room();
    }

    @Override
    public int work(long nowMillis) {
        int received = rx.receive(in);
        handler.begin(nowMillis);
        answers.room();
        if (received >= AHEAD_LEAST) {
            handler.prefetch(in);
        }
        for (int i = 0; i < received; i++) {
            handle(i, nowMillis);
        }
        if (out.count() > 0 && handler.holdsBack()) {
            // Finished responses do not wait for deferred ones.
            flush();
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
            flush();
        }
        try {
            handler.packet(in, index, out);
        } catch (Throwable t) {
            // An exception on one packet must not drop the rest of the burst.
            fault(t, nowMillis);
        }
        out.reuse(in, index);
    }

    private void flush() {
        if (answers.flush() > 0 && !out.hasRoom()) {
            tx.drop(out);
        }
    }

    private void fault(Throwable fault, long nowMillis) {
        rx.statistics().drop(Drop.FAULT, 1);
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + PacketLimits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "a packet was dropped because its handler failed", fault);
        }
    }
}
