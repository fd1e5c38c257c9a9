package io.guidepost.bench.handle;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A connection that stays open from question to question; a new one is made only when it has failed. */
final class KeepAliveClient implements PacedClient.PacedRequest, AutoCloseable {
    private static final int MILLIS_MAX = 5_000;
    private static final int ENVELOPE_BYTES = 20;

    private final InetSocketAddress server;
    private final byte[] question;
    private final boolean http;
    private @Nullable Socket socket;

    KeepAliveClient(InetSocketAddress server, byte[] question, boolean http) {
        this.server = server;
        this.question = question;
        this.http = http;
    }

    @Override
    public void ask(int number) throws IOException {
        Socket open = socket;
        try {
            if (open == null) {
                open = new Socket();
                open.setTcpNoDelay(true);
                open.setSoTimeout(MILLIS_MAX);
                open.connect(server, MILLIS_MAX);
                socket = open;
            }
            // In two pieces: between them a process may end that has read the first.
            open.getOutputStream().write(question, 0, question.length / 2);
            open.getOutputStream().write(question, question.length / 2, question.length - question.length / 2);
            DataInputStream in = new DataInputStream(open.getInputStream());
            in.readFully(new byte[http ? bodyBytes(in) : messageBytes(in)]);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static int messageBytes(DataInputStream in) throws IOException {
        in.readFully(new byte[ENVELOPE_BYTES - Integer.BYTES]);
        return in.readInt();
    }

    private static int bodyBytes(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(new String(new byte[] {in.readByte()}, StandardCharsets.US_ASCII));
        }
        if (!head.toString().startsWith("HTTP/1.1 200")) {
            throw new IOException(head.toString().lines().findFirst().orElse(""));
        }
        return CapturedResponse.contentLength(head.toString());
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
