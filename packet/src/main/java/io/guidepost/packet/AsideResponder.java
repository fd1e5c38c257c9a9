package io.guidepost.packet;

import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import org.jspecify.annotations.Nullable;

/** A worker's duty for what comes {@linkplain Aside aside}, which costs it one look at a variable while nothing does. */
final class AsideResponder implements DutyCycle {
    private final Aside aside;
    private final int queue;
    private final DatagramHandler handler;
    private @Nullable DatagramResponder responder;

    AsideResponder(Aside aside, int queue, DatagramHandler handler) {
        this.aside = aside;
        this.queue = queue;
        this.handler = handler;
    }

    @Override
    public int work(long nowMillis) {
        if (!aside.watched()) {
            return 0;
        }
        DatagramResponder own = responder;
        if (own == null) {
            own = new DatagramResponder(aside.rx(queue), aside.tx(queue), handler);
            responder = own;
        }
        return own.work(nowMillis);
    }

    @Override
    public long restNanos() {
        return aside.watched() ? PacketLimits.ASIDE_REST_NANOS : Long.MAX_VALUE;
    }
}
