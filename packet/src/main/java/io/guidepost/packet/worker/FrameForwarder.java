package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.RxQueue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The duty cycle of a middlebox: receives a burst, asks a {@link FrameHandler} for each frame's output, and passes the
 * frame on without a copy where memory is shared. It also flushes the outputs, which need not be added to the worker.
 *
 * <p>Every received frame is accounted for: an output took it (and counts it as sent or dropped), the handler discarded
 * it, or {@code rx} counts it as dropped.
 */
public final class FrameForwarder implements DutyCycle {
    private static final Logger LOG = System.getLogger(FrameForwarder.class.getName());

    private final RxQueue rx;
    private final FrameHandler handler;
    private final TxBuffer[] outputs;
    private final Burst in;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** Forwards frames of one queue to outputs, which the handler numbers from 0. */
    public FrameForwarder(RxQueue rx, FrameHandler handler, TxBuffer... outputs) {
        this.rx = rx;
        this.handler = handler;
        this.outputs = outputs.clone();
        this.in = rx.burst();
    }

    @Override
    public int work(long nowMillis) {
        int received = rx.receive(in);
        handler.begin(nowMillis);
        for (int i = 0; i < received; i++) {
            forward(i, nowMillis);
        }
        int sent = 0;
        for (TxBuffer output : outputs) {
            sent += output.work(nowMillis);
        }
        return Math.max(received, sent);
    }

    private void forward(int index, long nowMillis) {
        try {
            int output = handler.frame(in, index);
            if (output >= 0) {
                outputs[output].take(in, index);
            } else if (output == FrameHandler.REFUSE) {
                rx.statistics().drop(Drop.REFUSED, 1);
            }
        } catch (Throwable t) {
            // An exception on one frame must not drop the rest of the burst.
            fault(t, nowMillis);
        }
    }

    @Override
    public long restNanos() {
        long nanos = handler.restNanos();
        for (TxBuffer output : outputs) {
            nanos = Math.min(nanos, output.restNanos());
        }
        return nanos;
    }

    private void fault(Throwable fault, long nowMillis) {
        rx.statistics().drop(Drop.FAULT, 1);
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + PacketLimits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "a frame was dropped because its handler failed", fault);
        }
    }
}
