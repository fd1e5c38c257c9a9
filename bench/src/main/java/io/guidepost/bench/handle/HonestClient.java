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
 * Asks at a fixed rate, each time over a connection of its own; over TLS, where that is mostly the work of keys, over one
 * that is renewed every so often, outside of the measured time. Times are from when a question was due.
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

    /** Asks for so long, and forgets what was before. */
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
                        // The handshake is no part of it, and nobody asks meanwhile.
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

    /** Whether there had to be another connection. */
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
        int length = HandleBenchCommand.contentLength(head.toString());
        if (!head.toString().startsWith("HTTP/1.1 200") || in.readNBytes(length).length != length) {
            throw new IOException("no answer: " + head);
        }
    }

    /** Microseconds of so many percent of all that was answered. */
    double micros(double percent) {
        return nanos.getValueAtPercentile(percent) / 1e3;
    }

    /** Questions that were answered. */
    long answered() {
        return nanos.getTotalCount();
    }

    /** Questions that were not, for whatever reason. */
    int refused() {
        return refused;
    }

    @Override
    public void close() {
        if (kept != null) {
            try {
                kept.close();
            } catch (IOException e) {
                // It was of no use any more.
            }
            kept = null;
        }
    }
}
