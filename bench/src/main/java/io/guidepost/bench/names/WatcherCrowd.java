package io.guidepost.bench.names;

import io.guidepost.bench.process.BenchFailure;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Many watchers, each on a connection of its own, read by one thread, which counts their events. */
final class WatcherCrowd implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long OPEN_NANOS_MAX = TimeUnit.MINUTES.toNanos(3);
    private static final long SELECT_MILLIS = 100;

    private final Selector selector;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final AtomicLong events = new AtomicLong();
    private final AtomicInteger watching = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final Thread thread;
    private volatile boolean open = true;

    private WatcherCrowd() throws IOException {
        selector = Selector.open();
        thread = Thread.ofPlatform().name("watchers").unstarted(this::run);
    }

    /**
     * Has a number of watchers, and waits until all of them watch.
     *
     * @param prefixes the prefix of each
     */
    static WatcherCrowd open(NamesTarget target, int count, IntFunction<String> prefixes) throws IOException {
        WatcherCrowd crowd = new WatcherCrowd();
        try {
            for (int i = 0; i < count; i++) {
                crowd.add(target, prefixes.apply(i));
            }
            crowd.thread.start();
            crowd.await(target.name(), count);
            return crowd;
        } catch (IOException | BenchFailure e) {
            crowd.close();
            throw e;
        }
    }

    private void add(NamesTarget target, String prefix) throws IOException {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(target.address());
        } catch (IOException e) {
            throw new BenchFailure("watcher " + (channels.size() + 1) + " has no connection (" + e.getMessage()
                    + "): more open files may be needed, see ulimit -n");
        }
        channels.add(channel);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.write(ByteBuffer.wrap(target.watchRequest(prefix)));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, target.decoder());
    }

    private void await(String name, int count) {
        long end = System.nanoTime() + OPEN_NANOS_MAX;
        while (watching.get() < count && lost.get() == 0 && System.nanoTime() - end < 0) {
            pause();
        }
        if (watching.get() < count) {
            throw new BenchFailure(name + " takes " + watching + " watchers of " + count);
        }
    }

    /** Waits until a number of events has come; returns false if watchers are gone, or it takes too long. */
    @SuppressWarnings("ThreadPriorityCheck") // Sleep would be measured; the watchers may want this processor.
    boolean await(long total, long nanosMax) {
        long end = System.nanoTime() + nanosMax;
        while (events.get() < total) {
            if (lost.get() > 0 || System.nanoTime() - end > 0) {
                return false;
            }
            Thread.onSpinWait();
            Thread.yield();
        }
        return true;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }

    /** Returns the events of all watchers so far. */
    long events() {
        return events.get();
    }

    /** Returns how many connections the server has ended. */
    int lost() {
        return lost.get();
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try {
            while (open) {
                selector.select(key -> read(key, buffer), SELECT_MILLIS);
            }
        } catch (IOException e) {
            lost.incrementAndGet();
        }
    }

    private void read(SelectionKey key, ByteBuffer buffer) {
        EventDecoder decoder = (EventDecoder) key.attachment();
        boolean before = decoder.isWatching();
        buffer.clear();
        try {
            if (((SocketChannel) key.channel()).read(buffer) < 0) {
                throw new IOException("the server closed the connection");
            }
        } catch (IOException e) {
            lost.incrementAndGet();
            key.cancel();
            return;
        }
        int taken = decoder.take(buffer.flip());
        if (taken > 0) {
            events.addAndGet(taken);
        }
        if (!before && decoder.isWatching()) {
            watching.incrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        open = false;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel each : channels) {
            each.close();
        }
        selector.close();
    }
}
