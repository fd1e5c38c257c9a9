package io.guidepost.server.http.epoll;

import io.guidepost.base.RateLimitedLog;
import io.guidepost.packet.stream.EpollSet;
import io.guidepost.packet.stream.TcpCalls;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Drives an event loop: waits for its ports and connections in the kernel, and tells them what happened. A turn is one
 * wait, what it brought, and what was left of the turn before; the tasks of the loop follow it. Belongs to the loop's
 * thread, but for {@link #wakeup}.
 *
 * <pre>
 *  mark of an event: 0 (1 bit) | how many had a number before (31) | number of the socket (32)
 * </pre>
 *
 * An event that was on its way when its socket was closed, and the number given to another, is so told from one of that.
 */
final class EpollLoop implements IoHandler {
    private static final RateLimitedLog LOG = new RateLimitedLog(System.getLogger(EpollLoop.class.getName()));
    private static final long NANOS_IN_MILLI = 1_000_000;

    private final ThreadAwareExecutor executor;
    private final EpollSet poll;
    private final TcpCalls calls = new TcpCalls();
    private final ByteBuffer room = ByteBuffer.allocateDirect(EpollLimits.ROOM_BYTES);
    private final long roomAddress = MemorySegment.ofBuffer(room).address();
    private final ArrayDeque<EpollChannel.Side> resumed = new ArrayDeque<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private @Nullable EpollChannel.Side[] known = new EpollChannel.Side[256];
    private int registered;

    private EpollLoop(ThreadAwareExecutor executor) throws IOException {
        this.executor = executor;
        this.poll = new EpollSet();
    }

    static IoHandlerFactory factory() {
        return executor -> {
            try {
                return new EpollLoop(executor);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    TcpCalls calls() {
        return calls;
    }

    /** Memory for what is on its way between a connection and the kernel, which is kept no longer than one call. */
    ByteBuffer room() {
        return room;
    }

    long roomAddress() {
        return roomAddress;
    }

    @Override
    public IoRegistration register(IoHandle handle) throws IOException {
        EpollChannel.Side side = (EpollChannel.Side) handle;
        side.registered(this);
        if (side.number() >= 0) {
            watch(side);
        }
        return side;
    }

    /** Tells a handle from now on what happens to its socket. */
    void watch(EpollChannel.Side side) throws IOException {
        int number = side.number();
        if (number >= known.length) {
            known = Arrays.copyOf(known, Math.max(number + 1, 2 * known.length));
        }
        registered = registered + 1 & Integer.MAX_VALUE;
        side.mark((long) registered << Integer.SIZE | number);
        poll.add(number, side.mark());
        known[number] = side;
    }

    /** Tells a handle from now on as well that there is room to send. */
    void watchWritable(EpollChannel.Side side) throws IOException {
        poll.addWritable(side.number(), side.mark());
    }

    void resume(EpollChannel.Side side) {
        resumed.add(side);
    }

    void forget(EpollChannel.Side side) {
        if (executor.isExecutorThread(Thread.currentThread())) {
            long mark = side.mark();
            EpollChannel.Side there = mark < 0 ? null : known[(int) mark];
            if (there != null && there.mark() == mark) {
                known[(int) mark] = null;
            }
        } else {
            executor.execute(() -> forget(side));
        }
    }

    @Override
    public int run(IoHandlerContext context) {
        int count = poll.await(timeoutMillis(context));
        asleep.set(false);
        for (int i = 0; i < count; i++) {
            long mark = poll.mark(i);
            EpollChannel.Side side = mark < 0 ? null : known[(int) mark];
            if (side != null && side.mark() == mark) {
                tell(side, poll.events(i));
            }
        }
        // Only those of the turn before: what is left now waits until others had their turn.
        for (int left = resumed.size(); left > 0; left--) {
            tell(resumed.remove(), 0);
        }
        return count;
    }

    /** How long there is nothing to do but to wait: 0 if there is something. */
    private int timeoutMillis(IoHandlerContext context) {
        if (!resumed.isEmpty()) {
            return 0;
        }
        asleep.set(true);
        // A thread that adds a task from here on wakes the loop.
        if (!context.canBlock()) {
            return 0;
        }
        long millis = (context.delayNanos(System.nanoTime()) + NANOS_IN_MILLI - 1) / NANOS_IN_MILLI;
        return (int) Math.clamp(millis, 0L, Integer.MAX_VALUE);
    }

    private static void tell(EpollChannel.Side side, int events) {
        try {
            if (events == 0) {
                side.resumed();
            } else {
                side.ready(events);
            }
        } catch (RuntimeException e) {
            LOG.error("a connection is closed, as it could not be served: " + e, e);
            side.close();
        }
    }

    @Override
    public void wakeup() {
        if (asleep.getAndSet(false)) {
            poll.wake();
        }
    }

    @Override
    public void prepareToDestroy() {
        List<EpollChannel.Side> left = new ArrayList<>();
        for (EpollChannel.Side each : known) {
            if (each != null) {
                left.add(each);
            }
        }
        left.forEach(each -> each.close());
    }

    @Override
    public void destroy() {
        poll.close();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return EpollChannel.Side.class.isAssignableFrom(handleType);
    }
}
