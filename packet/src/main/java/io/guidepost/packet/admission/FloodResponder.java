package io.guidepost.packet.admission;

import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import org.jspecify.annotations.Nullable;

/** A worker's duty for its {@linkplain FloodSockets flood socket}; costs one look at a variable while no network floods. */
final class FloodResponder implements DutyCycle {
    private final FloodSockets sockets;
    private final int queue;
    private final DatagramHandler handler;
    private @Nullable DatagramResponder responder;

    FloodResponder(FloodSockets sockets, int queue, DatagramHandler handler) {
        this.sockets = sockets;
        this.queue = queue;
        this.handler = handler;
    }

    @Override
    public int work(long nowMillis) {
        if (!sockets.watched()) {
            return 0;
        }
        DatagramResponder own = responder;
        if (own == null) {
            own = new DatagramResponder(sockets.rx(queue), sockets.tx(queue), handler);
            responder = own;
        }
        return own.work(nowMillis);
    }

    @Override
    public long restNanos() {
        return sockets.watched() ? AdmissionLimits.FLOOD_REST_NANOS : Long.MAX_VALUE;
    }
}
