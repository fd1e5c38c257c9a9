package io.guidepost.dns;

import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.names.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A bounded pool of the requests of one worker that wait for the storage engine; they are created on first use and kept. */
final class DeferredQueries {
    private final DnsContext context;
    private final Runnable wake;
    private final List<DeferredQuery> free = new ArrayList<>();
    private final Queue<DeferredQuery> done = new ConcurrentLinkedQueue<>();
    private int made;
    private int waiting;

    DeferredQueries(DnsContext context, Runnable wake) {
        this.context = context;
        this.wake = wake;
    }

    /** Hands a request to the executor; returns false if too many wait. */
    boolean submit(Exchange exchange) {
        if (free.isEmpty() && made == DnsLimits.DEFERRED_MAX) {
            return false;
        }
        DeferredQuery slot = free.isEmpty() ? make() : free.removeLast();
        slot.fill(exchange);
        try {
            context.engine().execute(slot);
        } catch (RejectedExecutionException closing) {
            free.add(slot);
            return false;
        }
        waiting++;
        return true;
    }

    private DeferredQuery make() {
        made++;
        return new DeferredQuery(this, context);
    }

    /** Queues a completed request for the worker; the executor's thread calls. */
    void completed(DeferredQuery slot) {
        done.add(slot);
        wake.run();
    }

    /** Returns a completed request, or null; the caller reads it and gives it to {@link #recycle}. */
    @Nullable DeferredQuery next() {
        return waiting == 0 ? null : done.poll();
    }

    void recycle(DeferredQuery slot) {
        waiting--;
        free.add(slot);
    }
}
