package io.guidepost.bench.names;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A connection of HTTP/1.1 with one request at a time. Belongs to one thread. */
final class HttpConnection implements Closeable {
    private static final int MILLIS_MAX = 20_000;
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length:";

    private final Socket socket = new Socket();
    private byte[] buffer = new byte[1 << 13];
    private int bytes;

    HttpConnection(InetSocketAddress server) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MILLIS_MAX);
        socket.connect(server, MILLIS_MAX);
    }

    static byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] put(String path, String body) {
        return ("PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns head and body of the answer to a request. */
    String call(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        bytes = 0;
        int head = -1;
        while (head < 0) {
            read(in);
            head = head();
        }
        String text = new String(buffer, 0, head, StandardCharsets.US_ASCII);
        int at = text.toLowerCase(java.util.Locale.ROOT).indexOf(LENGTH);
        int length = at < 0 ? 0 : Integer.parseInt(text.substring(at + LENGTH.length(), text.indexOf('\r', at)).strip());
        while (bytes < head + length) {
            read(in);
        }
        return new String(buffer, 0, head + length, StandardCharsets.UTF_8);
    }

    private void read(InputStream in) throws IOException {
        if (bytes == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * bytes);
        }
        int got = in.read(buffer, bytes, buffer.length - bytes);
        if (got < 0) {
            throw new IOException("the server closed the connection");
        }
        bytes += got;
    }

    /** Returns where the body begins; -1 if the head is not whole. */
    private int head() {
        for (int i = 0; i + END.length <= bytes; i++) {
            if (Arrays.equals(buffer, i, i + END.length, END, 0, END.length)) {
                return i + END.length;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
