package io.guidepost.server.http;

import io.guidepost.web.DeferredReply;
import io.guidepost.web.HttpResponse;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Responses of one event loop that are ready: made elsewhere in any number, they wake the loop once, and leave in one turn in the order
 * in which they became ready. Each belongs to one loop; {@link Reply#ready} and {@link Reply#wake} are for any thread.
 *
 * <pre>
 *  loop       begin, begin, begin                        send all
 *               |      |      |                             ^
 *  committer    +------+------+--&gt; ready, ready, ready --&gt; wake
 * </pre>
 */
final class LoopReplies {
    private static final VarHandle LAST;

    private static final FastThreadLocal<LoopReplies> OF_LOOP = new FastThreadLocal<>();

    static {
        try {
            LAST = MethodHandles.lookup().findVarHandle(LoopReplies.class, "last", Reply.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EventExecutor loop;
    private final Runnable wake = this::wake;

    /** The one that became ready last, and behind it those before. */
    @SuppressWarnings("unused") // Through its handle.
    private volatile @Nullable Reply last;

    private LoopReplies(EventExecutor loop) {
        this.loop = loop;
    }

    /** Returns those of a loop; its thread calls, which has no other loop. */
    static LoopReplies of(EventExecutor loop) {
        LoopReplies known = OF_LOOP.getIfExists();
        if (known == null) {
            known = new LoopReplies(loop);
            OF_LOOP.set(known);
        }
        return known;
    }

    /** One request whose response follows. */
    abstract static class Reply implements DeferredReply {
        private final LoopReplies of;
        private @Nullable Supplier<HttpResponse> response;
        private @Nullable Reply before;

        Reply(LoopReplies of) {
            this.of = of;
        }

        /** Makes the response, and sends it; the loop calls. */
        abstract void send(Supplier<HttpResponse> made);

        @Override
        public final void ready(Supplier<HttpResponse> made) {
            response = made;
            do {
                before = of.last;
            } while (!LAST.compareAndSet(of, before, this));
        }

        @Override
        public final Runnable wake() {
            return of.wake;
        }
    }

    private void wake() {
        try {
            loop.execute(this::send);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all its connections.
        }
    }

    private void send() {
        Reply each = (Reply) LAST.getAndSet(this, null);
        Reply first = null;
        while (each != null) {
            Reply earlier = each.before;
            each.before = first;
            first = each;
            each = earlier;
        }
        while (first != null) {
            Reply next = first.before;
            Supplier<HttpResponse> response = first.response;
            if (response != null) {
                first.send(response);
            }
            first = next;
        }
    }
}
