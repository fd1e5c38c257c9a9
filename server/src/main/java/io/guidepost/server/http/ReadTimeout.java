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
    private @Nullable Alarm alarm;
    private @Nullable Future<?> set;

    /** One alarm that was set; an outdated one does nothing. */
    private final class Alarm implements Runnable {
        private final long atNanos;

        Alarm(long atNanos) {
            this.atNanos = atNanos;
        }

        @Override
        public void run() {
            if (alarm == this) {
                alarm = null;
                if (waiting && dueNanos - System.nanoTime() <= 0) {
                    waiting = false;
                    late.run();
                } else if (waiting) {
                    set();
                }
            }
        }
    }

    /** Nothing is waited for yet; {@code late} is told what lasted too long. */
    public ReadTimeout(EventLoop loop, Runnable late) {
        this.loop = loop;
        this.late = late;
    }

    /** Starts a wait of a bounded number of milliseconds. */
    public void atMost(long millis) {
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        waiting = true;
        if (alarm == null || alarm.atNanos - dueNanos > 0) {
            set();
        }
    }

    /** Some of what is waited for came: who sends much may take longer, as long as it is 16 bytes in each millisecond. */
    public void received(int bytes) {
        dueNanos += TimeUnit.MILLISECONDS.toNanos(bytes) / HttpLimits.SLOWEST_BYTES_PER_MILLI;
    }

    private void set() {
        cancel();
        alarm = new Alarm(dueNanos);
        set = loop.schedule(alarm, dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void cancel() {
        if (set != null) {
            set.cancel(false);
            set = null;
        }
    }

    /** Nothing is waited for. */
    public void end() {
        waiting = false;
    }

    /** The connection is gone: nothing will be waited for, and the loop keeps nothing of it. */
    public void close() {
        end();
        alarm = null;
        cancel();
    }
}
