package io.guidepost.handle.client;

import io.guidepost.handle.message.MessageFraming;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A persistent, pipelined connection; the request id matches each response to its request. Thread-safe. */
final class PersistentConnection {
    private final Socket socket;
    private final String name;
    private final OutputStream out;
    private final Map<Integer, CompletableFuture<byte[]>> underWay = new ConcurrentHashMap<>();
    private volatile long restingSinceNanos = System.nanoTime();
    private volatile boolean closed;

    private PersistentConnection(Socket socket, String name) throws IOException {
        this.socket = socket;
        this.name = name;
        this.out = socket.getOutputStream();
        // Each request has its own timeout; between requests the connection may be silent.
        socket.setSoTimeout(0);
    }

    /** Takes over a connected socket, and starts its reader thread. */
    static PersistentConnection over(Socket socket, String name) throws IOException {
        PersistentConnection connection = new PersistentConnection(socket, name);
        Thread.ofVirtual().name("handle-client").start(connection::read);
        return connection;
    }

    boolean isClosed() {
        return closed;
    }

    int underWay() {
        return underWay.size();
    }

    /** Marks the connection as busy: a request has chosen it. */
    void choose() {
        restingSinceNanos = System.nanoTime();
    }

    /** Returns whether it has been idle for at least a given time. */
    boolean isIdle(Duration atLeast) {
        return underWay.isEmpty() && System.nanoTime() - restingSinceNanos >= atLeast.toNanos();
    }

    byte[] ask(byte[] request, Duration timeout) throws IOException {
        int id = MessageFraming.requestId(request);
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        if (underWay.putIfAbsent(id, answer) != null) {
            throw new IOException("two requests have the same id");
        }
        try {
            synchronized (out) {
                out.write(request);
            }
            if (closed) {
                throw new IOException(name + " closed the connection");
            }
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(name + " closed the connection before it answered", e);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("no answer from " + name + " in " + timeout.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + name, e);
        } finally {
            restingSinceNanos = System.nanoTime();
            underWay.remove(id);
        }
    }

    private void read() {
        IOException why = new IOException(name + " closed the connection before it answered");
        try (InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16)) {
            for (Optional<byte[]> each = MessageFraming.read(in); each.isPresent(); each = MessageFraming.read(in)) {
                CompletableFuture<byte[]> asker = underWay.get(MessageFraming.requestId(each.get()));
                if (asker != null) {
                    asker.complete(each.get());
                }
            }
        } catch (IOException e) {
            why = new IOException("the connection to " + name + " broke: " + e.getMessage(), e);
        }
        closed = true;
        for (CompletableFuture<byte[]> each : underWay.values()) {
            each.completeExceptionally(why);
        }
    }

    void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is closed anyway.
        }
    }
}
