package io.guidepost.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;

/**
 * Sends what was written on an event loop when it has read all that had come: a client with many connections is woken
 * once for many answers, and not for each, which costs more than to answer. Each belongs to one loop.
 */
public final class FlushCoalescer implements Runnable {
    private static final FastThreadLocal<FlushCoalescer> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected FlushCoalescer initialValue() {
            return new FlushCoalescer();
        }
    };

    private final ArrayDeque<ChannelHandlerContext> written = new ArrayDeque<>();

    private FlushCoalescer() {}

    /** Something was written here, and is sent at the end of this turn; called by the loop of the connection. */
    public static void flush(ChannelHandlerContext context) {
        EventExecutor loop = context.executor();
        FlushCoalescer end = OF_LOOP.get();
        if (end.written.isEmpty()) {
            loop.execute(end);
        }
        end.written.add(context);
    }

    @Override
    public void run() {
        // Whatever is written meanwhile, because something was sent, is sent too.
        for (ChannelHandlerContext each = written.poll(); each != null; each = written.poll()) {
            each.flush();
        }
    }
}
