package io.guidepost.bench.alto;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.StreamClient;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sends prepared requests in turn over one persistent HTTP/1.1 connection. Belongs to one thread. */
final class AltoStreamClient implements StreamClient {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LINE_MAX = 8192;

    private final InetSocketAddress server;
    private final List<byte[]> requests;
    private final int statusExpected;
    private @Nullable Socket socket;
    private InputStream in = InputStream.nullInputStream();
    private String tag = "";
    private byte[] body = {};

    AltoStreamClient(InetSocketAddress server, List<byte[]> requests, int statusExpected) {
        this.server = server;
        this.requests = requests;
        this.statusExpected = statusExpected;
    }

    /** Encodes a request. */
    static byte[] request(String method, String path, String headers, String body) {
        String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
        return (method + " " + path + " HTTP/1.1\r\nHost: bench\r\n" + headers + length + "\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public GnrsAnswerCheck.Verdict ask(long number) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            open.setTcpNoDelay(true);
            open.setSoTimeout(TIMEOUT_MILLIS);
            open.connect(server, TIMEOUT_MILLIS);
            socket = open;
            in = new BufferedInputStream(open.getInputStream());
        }
        open.getOutputStream().write(requests.get((int) (number % requests.size())));
        return read() == statusExpected ? GnrsAnswerCheck.Verdict.RIGHT : GnrsAnswerCheck.Verdict.WRONG;
    }

    private int read() throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/1.1")) {
            throw new IOException("no answer of HTTP: " + String.join(" ", status));
        }
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            switch (name) {
                case "content-length" -> length = Integer.parseInt(value);
                case "etag" -> tag = value;
                default -> {}
            }
        }
        body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the answer is cut off");
        }
        return Integer.parseInt(status[1]);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > LINE_MAX) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Returns the ETag of the last response, with its quotes; empty if it had none. */
    String tag() {
        return tag;
    }

    /** Returns the body of the last response. */
    byte[] body() {
        return body;
    }

    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
