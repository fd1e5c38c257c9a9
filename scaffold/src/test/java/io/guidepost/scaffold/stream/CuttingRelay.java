package io.guidepost.scaffold.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A TCP relay that cuts its connections after numbers of bytes, wherever in a frame that is. */
final class CuttingRelay implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket();
    private final InetSocketAddress to;
    private final LongSupplier until;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
    private final AtomicLong left = new AtomicLong();
    private final AtomicInteger cuts = new AtomicInteger();
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

    /**
     * Opens one.
     *
     * @param until how many bytes, of both directions, pass before the next cut
     */
    CuttingRelay(InetSocketAddress at, InetSocketAddress to, LongSupplier until) throws IOException {
        this.to = to;
        this.until = until;
        left.set(until.getAsLong());
        socket.bind(at);
        Thread.ofVirtual().start(this::run);
    }

    int cuts() {
        return cuts.get();
    }

    /** What clients have sent, all connections in the order in which it passed. */
    byte[] recorded() {
        synchronized (recorded) {
            return recorded.toByteArray();
        }
    }

    private void run() {
        try {
            while (true) {
                Socket client = socket.accept();
                Socket server = new Socket();
                open.add(client);
                open.add(server);
                server.connect(to);
                Thread.ofVirtual().start(() -> pass(client, server, true));
                Thread.ofVirtual().start(() -> pass(server, client, false));
            }
        } catch (IOException e) {
            // It refuses from now on.
        }
    }

    private void pass(Socket from, Socket into, boolean asks) {
        byte[] bytes = new byte[8_192];
        try (from; into) {
            for (int count = from.getInputStream().read(bytes); count >= 0; count = from.getInputStream().read(bytes)) {
                if (left.addAndGet(-count) < 0) {
                    left.set(until.getAsLong());
                    cuts.incrementAndGet();
                    into.getOutputStream().write(bytes, 0, count / 2);
                    cut();
                    return;
                }
                if (asks) {
                    synchronized (recorded) {
                        recorded.write(bytes, 0, count);
                    }
                }
                if (!silent.contains(from)) {
                    into.getOutputStream().write(bytes, 0, count);
                }
            }
        } catch (IOException e) {
            // One of the ends is gone, and now the other.
        }
    }

    /** Has all connections that are open swallow what comes, as a path does that is gone. */
    void silence() {
        silent.addAll(open);
    }

    /** Cuts all connections. */
    void cut() {
        for (Socket each : List.copyOf(open)) {
            open.remove(each);
            try (each) {
                each.setSoLinger(true, 0);
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    /** Refuses, and cuts all connections: as a host does whose program was killed. */
    @Override
    public void close() throws IOException {
        socket.close();
        cut();
    }
}
