package io.guidepost.bench.handle;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * An honest client that sends at a fixed rate, each request over a new connection; over TLS, where a handshake would
 * dominate, over one that is renewed periodically outside of the measured time. Latencies begin when a request was due.
 */
final class HonestClient implements AutoCloseable {
    private static final int MILLIS_MAX = 5_000;
    private static final int ENVELOPE_BYTES = 20;
    private static final int QUESTIONS_OF_A_CONNECTION = 50;
    private static final int DIGITS = 3;

    private final SlowlorisMode way;
    private final InetSocketAddress server;
    private final byte[] question;
    private final SSLSocketFactory tls;
    private @Nullable Socket kept;
    private int askedOfKept;
    private Histogram nanos = new Histogram(DIGITS);
    private int refused;

    HonestClient(SlowlorisMode way, InetSocketAddress server, byte[] question, SSLSocketFactory tls) {
        this.way = way;
        this.server = server;
        this.question = question;
        this.tls = tls;
    }

    /** Runs for a time, and discards earlier results. */
    void run(int ratePerSecond, long durationNanos) {
        nanos = new Histogram(DIGITS);
        refused = 0;
        long gap = TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
        long begun = System.nanoTime();
        for (long due = begun; due - begun < durationNanos; due += gap) {
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            long measured = due;
            try {
                if (way.secure()) {
                    long before = System.nanoTime();
                    if (renew()) {
                        // The handshake is not measured, and no request is sent meanwhile.
                        measured += System.nanoTime() - before;
                    }
                    ask(kept());
                } else {
                    try (Socket socket = connect()) {
                        ask(socket);
                    }
                }
                nanos.recordValue(Math.max(1, System.nanoTime() - measured));
            } catch (IOException e) {
                refused++;
                close();
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MILLIS_MAX);
        socket.connect(server, MILLIS_MAX);
        return socket;
    }

    private Socket kept() throws IOException {
        if (kept == null) {
            throw new IOException("there is no connection");
        }
        return kept;
    }

    /** Opens a new connection if one is needed; returns whether it did. */
    private boolean renew() throws IOException {
        if (kept != null && askedOfKept++ < QUESTIONS_OF_A_CONNECTION) {
            return false;
        }
        close();
        askedOfKept = 0;
        kept = tls.createSocket(connect(), server.getHostString(), server.getPort(), true);
        return true;
    }

    private void ask(Socket socket) throws IOException {
        socket.getOutputStream().write(question);
        InputStream in = socket.getInputStream();
        if (way.http()) {
            page(in);
        } else {
            byte[] envelope = in.readNBytes(ENVELOPE_BYTES);
            int length = envelope.length < ENVELOPE_BYTES ? -1 : ByteBuffer.wrap(envelope).getInt(ENVELOPE_BYTES - 4);
            if (in.readNBytes(Math.max(0, length)).length != length) {
                throw new IOException("no answer");
            }
        }
    }

    private static void page(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer");
            }
            head.append((char) next);
        }
        int length = CapturedResponse.contentLength(head.toString());
        if (!head.toString().startsWith("HTTP/1.1 200") || in.readNBytes(length).length != length) {
            throw new IOException("no answer: " + head);
        }
    }

    /** Returns a percentile of the latencies in microseconds. */
    double micros(double percent) {
        return nanos.getValueAtPercentile(percent) / 1e3;
    }

    /** Returns the number of answered requests. */
    long answered() {
        return nanos.getTotalCount();
    }

    /** Returns the number of failed requests. */
    int refused() {
        return refused;
    }

    @Override
    public void close() {
        if (kept != null) {
            try {
                kept.close();
            } catch (IOException e) {
                // The old connection is of no use any more.
            }
            kept = null;
        }
    }
}
