package io.guidepost.bench.handle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Slowloris clients: connections on which half of a request was sent, or nothing, and then no more. */
final class SlowlorisClients implements AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 10_000;
    private static final int WAIT_MILLIS_MAX = 60_000;

    private final List<Socket> open = new ArrayList<>();

    /** Opens one more connection. */
    void add(SlowlorisMode way, InetSocketAddress server, byte[] half, SSLSocketFactory tls) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(server, CONNECT_MILLIS_MAX);
        if (way.greets()) {
            SSLSocket secure = (SSLSocket) tls.createSocket(socket, server.getHostString(), server.getPort(), true);
            open.set(open.size() - 1, secure);
            secure.startHandshake();
            secure.getOutputStream().write(half);
        } else {
            socket.getOutputStream().write(half);
        }
    }

    /** Waits until the server closes the connection that was opened last; returns the milliseconds. */
    double closedAfterMillis() throws IOException {
        long begun = System.nanoTime();
        Socket socket = open.getLast();
        socket.setSoTimeout(WAIT_MILLIS_MAX);
        byte[] some = new byte[256];
        try {
            // Before it closes, the server may send an error.
            while (socket.getInputStream().read(some) >= 0) {
                Thread.onSpinWait();
            }
        } catch (SocketTimeoutException e) {
            return Double.POSITIVE_INFINITY;
        } catch (IOException e) {
            // A reset is closed too.
        }
        return (System.nanoTime() - begun) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    @Override
    public void close() {
        for (Socket each : open) {
            try {
                each.setSoLinger(true, 0);
                each.close();
            } catch (IOException e) {
                // The server closed first.
            }
        }
        open.clear();
    }
}
