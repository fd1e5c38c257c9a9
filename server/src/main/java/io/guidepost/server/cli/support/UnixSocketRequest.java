package io.guidepost.server.cli.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One request over a Unix socket, which the HTTP clients of the JDK do not know: the server closes the connection behind its answer. */
final class UnixSocketRequest {
    private static final int BUFFER_BYTES = 8192;

    private UnixSocketRequest() {}

    /**
     * Sends a request and reads the answer.
     *
     * @param timeoutMillis of silence that are waited for at most
     * @throws IOException if no server answers there in time, or what it answers is not HTTP
     */
    static AdminOptions.Reply send(Path socket, String method, String path, String body, int timeoutMillis) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nGuidepost: yes\r\nContent-Length: "
                + content.length + "\r\n\r\n";
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(content);
            out.flush();
            String answer = new String(readAll(channel, timeoutMillis), StandardCharsets.UTF_8);
            int end = answer.indexOf("\r\n\r\n");
            if (end < 0 || !answer.startsWith("HTTP/1.1 ")) {
                throw new IOException("what answers there does not speak HTTP");
            }
            return new AdminOptions.Reply(Integer.parseInt(answer.substring(9, 12)), answer.substring(end + 4));
        } catch (IOException | NumberFormatException e) {
            throw new IOException(
                    "no server answers at the Unix socket " + socket + " (" + e.getMessage() + "): admin.socket names it", e);
        }
    }

    private static byte[] readAll(SocketChannel channel, int timeoutMillis) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            while (channel.read(buffer) >= 0) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (selector.select(timeoutMillis) == 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                selector.selectedKeys().clear();
            }
        }
        return out.toByteArray();
    }
}
