package io.guidepost.server.cli.scaffold;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file over HTTP, for machines without nginx. */
final class DemoFile {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-");

    private DemoFile() {}

    /** Serves a file until the process ends: whole, or the rest from an offset on. */
    static void serve(Path file, int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port)) {
            while (true) {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> answer(file, client));
            }
        }
    }

    private static void answer(Path file, Socket client) {
        try (client; FileChannel bytes = FileChannel.open(file)) {
            BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            while (line != null) {
                long from = 0;
                while (line != null && !line.isEmpty()) {
                    Matcher range = RANGE.matcher(line.toLowerCase(Locale.ROOT));
                    from = line.toLowerCase(Locale.ROOT).startsWith("range:") && range.find() ? Long.parseLong(range.group(1)) : from;
                    line = in.readLine();
                }
                send(bytes, from, client.getOutputStream());
                line = in.readLine();
            }
        } catch (IOException e) {
            System.err.println("guidepost: a client has gone: " + e.getMessage());
        }
    }

    private static void send(FileChannel bytes, long from, OutputStream out) throws IOException {
        long size = bytes.size();
        String part = "206 Partial Content\r\nContent-Range: bytes " + from + "-" + (size - 1) + "/" + size;
        String head = "HTTP/1.1 " + (from == 0 ? "200 OK" : part)
                + "\r\nETag: \"demo-" + size + "\"\r\nAccept-Ranges: bytes\r\nContent-Length: " + (size - from) + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        bytes.transferTo(from, size - from, Channels.newChannel(out));
        out.flush();
    }
}
