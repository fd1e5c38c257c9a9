package io.guidepost.bench.scaffold;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A server of one file without end, over HTTP; it belongs to the network namespace of the thread that opens it. */
final class HttpOrigin implements AutoCloseable {
    /** Bytes that the file repeats: no power of two, so that a shift by a segment or a block shows. */
    private static final byte[] PERIOD = new byte[(1 << 20) + 7];

    private static final long SIZE = 1L << 40;
    private static final int SLICE_BYTES = 1 << 16;
    private static final String RANGE = "range: bytes=";

    static {
        new Random(22).nextBytes(PERIOD);
    }

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
    private final boolean ranges;

    /** Opens it; it gives the rest of the file alone, if it has ranges. */
    HttpOrigin(int port, boolean ranges) throws IOException {
        this.ranges = ranges;
        listener.bind(new InetSocketAddress(port));
        Thread.ofPlatform().daemon().start(this::serve);
    }

    /** Returns whether these are the file's bytes. */
    static boolean isRight(byte[] bytes, int count, long position) {
        for (int at = 0; at < count; ) {
            int phase = (int) ((position + at) % PERIOD.length);
            int same = Math.min(count - at, PERIOD.length - phase);
            if (!Arrays.equals(bytes, at, at + same, PERIOD, phase, phase + same)) {
                return false;
            }
            at += same;
        }
        return true;
    }

    void serve() {
        try {
            while (true) {
                SocketChannel client = listener.accept();
                clients.add(client);
                Thread.ofPlatform().daemon().start(() -> answer(client));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void answer(SocketChannel client) {
        try (client) {
            BufferedReader in = new BufferedReader(new InputStreamReader(Channels.newInputStream(client), StandardCharsets.US_ASCII));
            long from = 0;
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                boolean range = ranges && line.toLowerCase(Locale.ROOT).startsWith(RANGE);
                from = range ? Long.parseLong(line.substring(RANGE.length(), line.indexOf('-'))) : from;
            }
            String part = "206 Partial Content\r\nContent-Range: bytes " + from + "-" + (SIZE - 1) + "/" + SIZE;
            String head = "HTTP/1.1 " + (from == 0 ? "200 OK" : part) + (ranges ? "\r\nETag: \"bench\"\r\nAccept-Ranges: bytes" : "")
                    + "\r\nContent-Length: " + (SIZE - from) + "\r\n\r\n";
            client.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer file = ByteBuffer.allocateDirect(PERIOD.length).put(PERIOD);
            while (from < SIZE) {
                int phase = (int) (from % PERIOD.length);
                from += client.write(file.limit(Math.min(PERIOD.length, phase + SLICE_BYTES)).position(phase));
            }
        } catch (IOException e) {
            // The client has gone, or the worker was killed.
        } finally {
            clients.remove(client);
        }
    }

    /** Closes the connections, as the kernel does with those of a worker that is killed; the port stays open. */
    void killWorkers() throws IOException {
        for (SocketChannel each : clients) {
            each.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        killWorkers();
    }
}
