package io.guidepost.handle.client;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageFraming;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The transport over TCP. Every server answers one request on a connection, and most then close it. Some support
 * persistent connections, which then carry many requests at a time (pipelining). The client finds out with two harmless
 * probes on one connection before it sends a request that must not be executed twice.
 */
final class HandleTcpTransport implements HandleTransport {
    /** Requests in flight on one connection: enough that it is never idle. */
    private static final int PIPELINE_MAX = 64;

    private final HandleEndpoint endpoint;
    private final HandleClientSettings settings;
    private final Semaphore single;
    private final Semaphore pipelined;
    private final List<PersistentConnection> kept = new ArrayList<>();
    private Optional<Boolean> keeps;

    HandleTcpTransport(HandleEndpoint endpoint, HandleClientSettings settings) {
        this.endpoint = endpoint;
        this.settings = settings;
        this.single = new Semaphore(settings.connectionsMax);
        this.pipelined = new Semaphore(settings.connectionsMax * PIPELINE_MAX);
        this.keeps = settings.pipelined ? Optional.empty() : Optional.of(false);
    }

    @Override
    public synchronized boolean keepsConnections() throws IOException {
        if (keeps.isEmpty()) {
            keeps = Optional.of(probe());
        }
        return keeps.get();
    }

    private boolean probe() throws IOException {
        try (Socket socket = connect()) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            socket.getOutputStream().write(question());
            if (MessageFraming.read(in).isEmpty()) {
                throw new IOException(endpoint + " closed the connection without an answer");
            }
            try {
                socket.getOutputStream().write(question());
                return MessageFraming.read(in).isPresent();
            } catch (IOException e) {
                return false;
            }
        }
    }

    private byte[] question() {
        long expiry = Instant.now().getEpochSecond() + HandleClient.REQUEST_SECONDS;
        return HandleMessage.of(
                        HandleEnvelope.of(0, 1 + HandleClientSettings.RANDOM.nextInt(Integer.MAX_VALUE)),
                        MessageHeader.request(HandleOperation.GET_SITE, expiry, OpFlag.KPAL),
                        new MessageBody.Named(Handle.SLASH))
                .write();
    }

    private Socket connect() throws IOException {
        int millis = (int) Math.min(Integer.MAX_VALUE, settings.timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.connect(endpoint.address(), millis);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw new IOException(endpoint + " does not answer: " + e.getMessage(), e);
        }
    }

    @Override
    public byte[] ask(byte[] request, boolean repeatable) throws IOException {
        if (!keepsConnections()) {
            return exchangeAlone(request);
        }
        acquire(pipelined);
        try {
            try {
                return connection().ask(request, settings.timeout);
            } catch (IOException e) {
                if (!repeatable) {
                    throw new IOException(e.getMessage() + "; whether the request was done is not known", e);
                }
                return connection().ask(request, settings.timeout);
            }
        } finally {
            pipelined.release();
        }
    }

    private synchronized PersistentConnection connection() throws IOException {
        for (PersistentConnection each : List.copyOf(kept)) {
            if (each.isIdle(settings.idleMax)) {
                each.close();
            }
        }
        kept.removeIf(PersistentConnection::isClosed);
        Optional<PersistentConnection> idlest = kept.stream().min(Comparator.comparingInt(PersistentConnection::underWay));
        // Many servers process the requests of one connection in sequence: so the client opens all connections before
        // it queues.
        if (idlest.isPresent()
                && (idlest.get().underWay() == 0 || kept.size() == settings.connectionsMax)) {
            idlest.get().choose();
            return idlest.get();
        }
        PersistentConnection opened = PersistentConnection.over(connect(), endpoint.toString());
        kept.add(opened);
        return opened;
    }

    private byte[] exchangeAlone(byte[] request) throws IOException {
        acquire(single);
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request);
            return MessageFraming.read(socket.getInputStream())
                    .orElseThrow(() -> new IOException(endpoint + " closed the connection without an answer"));
        } finally {
            single.release();
        }
    }

    @Override
    public void requestAll(byte[] request, Each each) throws IOException {
        acquire(single);
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            boolean more = true;
            while (more) {
                more = each.take(MessageFraming.read(in)
                        .orElseThrow(() -> new IOException(endpoint + " ended before the last part of its answer")));
            }
        } finally {
            single.release();
        }
    }

    private static void acquire(Semaphore semaphore) throws IOException {
        try {
            semaphore.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection", e);
        }
    }

    @Override
    public synchronized void close() {
        kept.forEach(PersistentConnection::close);
        kept.clear();
    }
}
