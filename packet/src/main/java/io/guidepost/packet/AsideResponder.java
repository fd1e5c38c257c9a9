package io.guidepost.packet;

import org.jspecify.annotations.Nullable;

/** A worker's duty for what comes {@linkplain Aside aside}, which costs it one look at a variable while nothing does. */
final class AsideResponder implements Duty {
    private final Aside aside;
    private final int queue;
    private final Handler handler;
    private @Nullable Responder responder;

    AsideResponder(Aside aside, int queue, Handler handler) {
        this.aside = aside;
        this.queue = queue;
        this.handler = handler;
    }

    @Override
    public int work(long nowMillis) {
        if (!aside.watched()) {
            return 0;
        }
        Responder own = responder;
        if (own == null) {
            own = new Responder(aside.rx(queue), aside.tx(queue), handler);
            responder = own;
        }
        return own.work(nowMillis);
    }

    @Override
    public long restNanos() {
        return aside.watched() ? Limits.ASIDE_REST_NANOS : Long.MAX_VALUE;
    }
}
