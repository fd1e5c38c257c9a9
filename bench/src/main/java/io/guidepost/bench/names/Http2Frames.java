package io.guidepost.bench.names;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client of gRPC writes (RFC 9113, RFC 7541 without compression): frames of a length 24, type 8, flags 8 and stream 32.
 */
final class Http2Frames {
    static final int HEAD_BYTES = 9;
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int END_STREAM = 1;
    static final int ACKNOWLEDGED = 1;

    /** Bytes before a message of gRPC: not compressed, and a length. */
    static final int MESSAGE_HEAD_BYTES = 5;

    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW = 4;
    private static final int WINDOW_STANDARD = 65_535;

    private Http2Frames() {}

    static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.writeBytes(ByteBuffer.allocate(HEAD_BYTES)
                .put((byte) (payload.length >> 16)).putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(stream)
                .array());
        out.writeBytes(payload);
    }

    /** Begins a connection on which the server may send all that it has. */
    static void preface(ByteArrayOutputStream out) {
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(out, SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW).putInt(Integer.MAX_VALUE).array());
        frame(out, WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE - WINDOW_STANDARD).array());
    }

    /** Writes a request with one message. */
    static void request(ByteArrayOutputStream out, int stream, String path, byte[] message, boolean ends) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x83); // :method POST
        head.write(0x86); // :scheme http
        head.write(0x04); // :path
        text(head, path);
        head.write(0x01); // :authority
        text(head, "localhost");
        head.writeBytes(new byte[] {0x0f, 0x10}); // content-type
        text(head, "application/grpc");
        head.write(0);
        text(head, "te");
        text(head, "trailers");
        frame(out, HEADERS, END_HEADERS, stream, head.toByteArray());
        byte[] data = ByteBuffer.allocate(MESSAGE_HEAD_BYTES + message.length).put((byte) 0).putInt(message.length).put(message).array();
        frame(out, DATA, ends ? END_STREAM : 0, stream, data);
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.write(text.length());
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
