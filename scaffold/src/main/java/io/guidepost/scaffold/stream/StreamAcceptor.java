package io.guidepost.scaffold.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Takes TCP connections at a port, each on a thread of its own, in bounds: of all, and of those that have not said what they want. */
final class StreamAcceptor implements AutoCloseable {
    /** Takes one connection, which is closed behind that. */
    @FunctionalInterface
    interface Taker {
        /**
         * Called on the connection's thread.
         *
         * @param settled is run once, when the connection has said what it wants, or never
         */
        void take(Socket connection, Runnable settled) throws IOException;
    }

    private static final long RETRY_NANOS = 10_000_000;

    private final RouterLink link;
    private final Taker taker;
    private final ServerSocket socket = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> halfOpen = ConcurrentHashMap.newKeySet();

    StreamAcceptor(RouterLink link, InetSocketAddress at, Taker taker) throws IOException {
        this.link = link;
        this.taker = taker;
        socket.bind(at, StreamLimits.HALF_OPEN_MAX);
        Thread.ofVirtual().name("guidepost-stream-acceptor").start(this::run);
    }

    InetSocketAddress at() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void run() {
        while (!socket.isClosed()) {
            try {
                Socket next = socket.accept();
                if (open.size() >= StreamLimits.STREAMS_MAX || halfOpen.size() >= StreamLimits.HALF_OPEN_MAX) {
                    link.counted(StreamCount.DROPS_TOO_MANY);
                    next.close();
                } else {
                    open.add(next);
                    halfOpen.add(next);
                    Thread.ofVirtual().name("guidepost-stream-accepted").start(() -> take(next));
                }
            } catch (IOException e) {
                // Too many files, or closed.
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void take(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            taker.take(connection, () -> halfOpen.remove(connection));
        } catch (IOException e) {
            // The other end is gone, and may come again.
        } finally {
            halfOpen.remove(connection);
            open.remove(connection);
        }
    }

    /** Takes no more, and closes what was taken. */
    @Override
    public void close() {
        try {
            socket.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            // It is gone.
        }
    }
}
