package io.guidepost.packet.admission;

import io.guidepost.packet.Burst;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import org.jspecify.annotations.Nullable;

/** A worker's duty for its {@linkplain FloodSockets flood socket}; costs one look at a variable while no network floods. */
final class FloodResponder implements DutyCycle {
    private final FloodSockets sockets;
    private final int queue;
    private final DatagramHandler handler;
    /** Renews the networks that fill bursts: they still flood, though the policy may have time for these bursts. */
    private final class Renewing implements DatagramHandler {
        private final DatagramHandler inner;
        private int full;

        Renewing(DatagramHandler inner) {
            this.inner = inner;
        }

        @Override
        public void begin(long nowMillis) {
            inner.begin(nowMillis);
        }

        @Override
        public void prefetch(Burst in) {
            inner.prefetch(in);
        }

        @Override
        public void packet(Burst in, int index, Burst out) {
            if (index == 0 && in.isFull() && ++full % AdmissionLimits.RENEW_EACH == 0) {
                sockets.renew(in.peerHigh(0), in.peerLow(0));
            }
            inner.packet(in, index, out);
        }

        @Override
        public boolean holdsBack() {
            return inner.holdsBack();
        }

        @Override
        public void end(Burst out) {
            inner.end(out);
        }

        @Override
        public long restNanos() {
            return inner.restNanos();
        }
    }

    private @Nullable DatagramResponder responder;

    FloodResponder(FloodSockets sockets, int queue, DatagramHandler handler) {
        this.sockets = sockets;
        this.queue = queue;
        this.handler = new Renewing(handler);
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
