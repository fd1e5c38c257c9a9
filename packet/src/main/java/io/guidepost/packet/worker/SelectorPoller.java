package io.guidepost.packet.worker;

import io.guidepost.packet.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Sleeps in a selector: for channels, on every system. */
final class SelectorPoller implements Poller {
    private static final long NANOS_IN_MILLI = 1_000_000;

    private final Selector selector;

    SelectorPoller(List<Readiness> watched) {
        try {
            selector = Selector.open();
            for (Readiness readiness : watched) {
                if (readiness instanceof Readiness.Channel(var channel)) {
                    register(channel);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no selector could be opened: " + e.getMessage(), e);
        }
    }

    private void register(java.nio.channels.SelectableChannel channel) {
        try {
            channel.register(selector, SelectionKey.OP_READ);
        } catch (ClosedChannelException e) {
            // The port was closed before its worker started, so nothing will come.
            return;
        }
    }

    @Override
    public void sleep(long nanos) {
        try {
            selector.select(key -> {}, Math.max(1, nanos / NANOS_IN_MILLI));
        } catch (IOException e) {
            // The worker checks its queues after every sleep, so an error here only costs time.
            LockSupport.parkNanos(this, NANOS_IN_MILLI);
        }
    }

    @Override
    public void coalesce(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
