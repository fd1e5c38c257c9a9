package io.guidepost.bench.names;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A connection of gRPC with one request at a time. Belongs to one thread. */
final class GrpcConnection implements Closeable {
    private static final int MILLIS_MAX = 20_000;
    private static final int BUFFER_BYTES = 1 << 16;

    /** Bytes received after which the server may send as many more. */
    private static final int WINDOW_BYTES = 1 << 28;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int stream = -1;
    private long room = 65_535;
    private int received;

    GrpcConnection(InetSocketAddress server) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MILLIS_MAX);
        socket.connect(server, MILLIS_MAX);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        Http2Frames.preface(out);
        send();
    }

    private void send() throws IOException {
        socket.getOutputStream().write(out.toByteArray());
        out.reset();
    }

    /** Returns the message that a request is answered with. */
    byte[] call(String path, byte[] message) throws IOException {
        stream += 2;
        Http2Frames.request(out, stream, path, message, true);
        room -= Http2Frames.MESSAGE_HEAD_BYTES + message.length;
        while (room < 0) {
            frame(new ByteArrayOutputStream());
        }
        send();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        while (!frame(answer)) {
            // An answer has a head, a message and a tail.
        }
        if (answer.size() < Http2Frames.MESSAGE_HEAD_BYTES) {
            throw new IOException("the server refused " + path);
        }
        return Arrays.copyOfRange(answer.toByteArray(), Http2Frames.MESSAGE_HEAD_BYTES, answer.size());
    }

    /** Takes a frame; returns whether the answer ends. */
    private boolean frame(ByteArrayOutputStream answer) throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int id = in.readInt();
        byte[] payload = in.readNBytes(length);
        switch (type) {
            case Http2Frames.DATA -> {
                answer.writeBytes(payload);
                received += length;
                if (received > WINDOW_BYTES) {
                    Http2Frames.frame(out, Http2Frames.WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(received).array());
                    received = 0;
                }
            }
            case Http2Frames.SETTINGS -> acknowledge(type, flags, new byte[0]);
            case Http2Frames.PING -> acknowledge(type, flags, payload);
            case Http2Frames.WINDOW_UPDATE -> room += id == 0 ? ByteBuffer.wrap(payload).getInt() : 0;
            case Http2Frames.RESET, Http2Frames.GO_AWAY -> throw new IOException("the server ended the connection");
            default -> {}
        }
        return (type == Http2Frames.DATA || type == Http2Frames.HEADERS) && (flags & Http2Frames.END_STREAM) != 0;
    }

    private void acknowledge(int type, int flags, byte[] payload) {
        if ((flags & Http2Frames.ACKNOWLEDGED) == 0) {
            Http2Frames.frame(out, type, Http2Frames.ACKNOWLEDGED, 0, payload);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
