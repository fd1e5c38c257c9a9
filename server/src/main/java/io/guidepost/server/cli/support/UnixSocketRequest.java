package io.guidepost.server.cli.support;

import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One request over a Unix socket, which the HTTP clients of the JDK do not know: the server closes the connection behind its answer. */
final class UnixSocketRequest {
    private UnixSocketRequest() {}

    /** @throws IOException if no server answers there, or what it answers is not HTTP */
    static AdminOptions.Reply send(Path socket, String method, String path, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nGuidepost: yes\r\nContent-Length: "
                + content.length + "\r\n\r\n";
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(content);
            out.flush();
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
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
}
