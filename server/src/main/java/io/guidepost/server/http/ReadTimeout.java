package io.guidepost.server.http;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a wait that takes too long: one timer for a connection, which is set anew only when it goes off or is to go off
 * sooner, as most waits are short. Belongs to the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public final class ReadTimeout {
    private final EventLoop loop;
    private final Runnable late;
    private long dueNanos;
    private boolean waiting;
    private long alarmNanos;
    private @Nullable Future<?> alarm;

    /** Nothing is waited for yet; {@code late} is told what lasted too long. */
    public ReadTimeout(EventLoop loop, Runnable late) {
        this.loop = loop;
        this.late = late;
    }

    /** Starts a wait of a bounded number of milliseconds. */
    public void atMost(long millis) {
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        waiting = true;
        if (alarm == null || alarmNanos - dueNanos > 0) {
            set();
        }
    }

    /** Some of what is waited for came: who sends much may take longer, as long as it is 16 bytes in each millisecond. */
    public void received(int bytes) {
        dueNanos += TimeUnit.MILLISECONDS.toNanos(bytes) / HttpLimits.SLOWEST_BYTES_PER_MILLI;
    }

    private void set() {
        cancel();
        alarmNanos = dueNanos;
        alarm = loop.schedule(this::ring, dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void ring() {
        alarm = null;
        if (waiting && dueNanos - System.nanoTime() > 0) {
            set();
        } else if (waiting) {
            waiting = false;
            late.run();
        }
    }

    private void cancel() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Nothing is waited for. */
    public void end() {
        waiting = false;
    }

    /** The connection is gone: nothing will be waited for, and the loop keeps nothing of it. */
    public void close() {
        end();
        cancel();
    }
}
