package io.guidepost.server.http;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a wait that takes too long: one timer for a connection, which is set anew only when it goes off or is to go off
 * sooner, as most waits are short. Belongs to the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public final class ReadTimeout {
    private final EventLoop loop;
    private final LongSupplier connections;
    private final Runnable late;
    private @Nullable HttpServerSettings sending;
    private long begunNanos;
    private long byteNanos;
    private long bytes;
    private long dueNanos;
    private boolean waiting;
    private long alarmNanos;
    private @Nullable Future<?> alarm;

    /**
     * Nothing is waited for yet.
     *
     * @param connections tells how many there are, see {@link HttpServer#connections}
     * @param late is told what lasted too long
     */
    public ReadTimeout(EventLoop loop, LongSupplier connections, Runnable late) {
        this.loop = loop;
        this.connections = connections;
        this.late = late;
    }

    /** Starts a wait of a bounded number of milliseconds. */
    public void atMost(long millis) {
        sending = null;
        dueWithin(millis);
    }

    /** Starts to wait for the rest of a message, for as long as pressure and progress allow: see {@link RequestReadTimeout}. */
    public void message(HttpServerSettings settings) {
        sending = settings;
        begunNanos = System.nanoTime();
        byteNanos = begunNanos;
        bytes = 0;
        dueWithin(Math.min(settings.idleMillis(), HttpLimits.PRESSED_MILLIS));
    }

    private void dueWithin(long millis) {
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        waiting = true;
        if (alarm == null || alarmNanos - dueNanos > 0) {
            set();
        }
    }

    /** Some bytes of the message came. */
    public void received(int more) {
        bytes += more;
        byteNanos = System.nanoTime();
    }

    /** Sees what is left to the sender now; pressure is looked at again before that is over. */
    private void look(HttpServerSettings settings) {
        long now = System.nanoTime();
        long grace = RequestReadTimeout.graceMillis(connections.getAsLong(), settings.connectionsMax(), settings.idleMillis());
        long left = RequestReadTimeout.leftMillis(
                grace, bytes, TimeUnit.NANOSECONDS.toMillis(now - begunNanos), TimeUnit.NANOSECONDS.toMillis(now - byteNanos));
        long again = Math.max(grace / HttpLimits.PRESSURE_LOOKS, HttpLimits.PRESSED_MILLIS);
        dueNanos = now + TimeUnit.MILLISECONDS.toNanos(Math.min(left, again));
    }

    private void set() {
        cancel();
        alarmNanos = dueNanos;
        alarm = loop.schedule(this::ring, dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void ring() {
        alarm = null;
        HttpServerSettings settings = sending;
        if (waiting && settings != null) {
            look(settings);
        }
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
