package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A TCP connection that carries frames. One thread reads, one writes, and any may close it. */
final class StreamConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] head = new byte[StreamFrame.HEAD_BYTES];
    private final byte[] body = new byte[StreamLimits.DATA_BYTES_MAX];
    private final ByteBuffer frame = ByteBuffer.allocate(StreamFrame.HEAD_BYTES + StreamLimits.DATA_BYTES_MAX);
    private volatile long deadlineNanos;

    StreamConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        out = socket.getOutputStream();
    }

    /** Has all reads end in an exception after a time, however the bytes trickle. */
    void within(int millis) {
        deadlineNanos = System.nanoTime() + millis * NANOS_PER_MILLI;
    }

    /** Has each read end in an exception when nothing comes, not even the other end's heartbeat. */
    void settled() throws IOException {
        deadlineNanos = 0;
        socket.setSoTimeout(StreamLimits.SILENCE_MILLIS_MAX);
    }

    /** Reads a frame; its bytes are in {@link #body} until the next one. */
    StreamFrame read() throws IOException, Malformed {
        fill(head, head.length);
        StreamFrame read = StreamFrame.read(ByteBuffer.wrap(head));
        fill(body, read.length());
        return read;
    }

    byte[] body() {
        return body;
    }

    private void fill(byte[] to, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (deadlineNanos != 0) {
                long left = (deadlineNanos - System.nanoTime()) / NANOS_PER_MILLI;
                if (left <= 0) {
                    throw new SocketTimeoutException("the other end does not say in time what it wants");
                }
                socket.setSoTimeout((int) left);
            }
            int some = in.read(to, done, count - done);
            if (some < 0) {
                throw new EOFException("the other end has closed the connection");
            }
            done += some;
        }
    }

    /** Writes a frame with bytes from the front of an array. */
    void write(StreamFrame head, byte[] bytes) throws IOException {
        frame.clear();
        head.write(frame);
        frame.put(bytes, 0, head.length());
        out.write(frame.array(), 0, frame.position());
    }

    /**
     * Says that nothing more is written. Bytes of the other end are still read, for a time: if they waited here unread, the kernel would
     * reset the connection, and take from the other end what was written last.
     */
    void shutdownOutput() throws IOException {
        within(StreamLimits.CLOSING_MILLIS);
        socket.shutdownOutput();
    }

    boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone.
        }
    }
}
