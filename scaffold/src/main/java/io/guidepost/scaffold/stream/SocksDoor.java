package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The streams of programs that know nothing of them: by SOCKS 5, to objects alone, or by a TCP port that stands for one object. A
 * connection to anything else is refused, so that this is no way into a network. Thread-safe.
 */
public final class SocksDoor implements AutoCloseable {
    private static final byte[] METHOD_NONE = {5, 0};
    private static final byte[] METHOD_REFUSED = {5, (byte) 0xff};

    private final RouterLink link;
    private final String zone;
    private final @Nullable String object;
    private final StreamAcceptor acceptor;

    private SocksDoor(RouterLink link, InetSocketAddress at, String zone, @Nullable String object) throws IOException {
        this.link = link;
        this.zone = zone;
        this.object = object;
        acceptor = new StreamAcceptor(link, at, this::serve);
    }

    /**
     * Opens a door for SOCKS 5.
     *
     * @param at where it listens: all who reach it have what this host may have
     * @param zone below which names are objects
     */
    public static SocksDoor open(RouterLink link, InetSocketAddress at, String zone) throws IOException {
        return new SocksDoor(link, at, zone, null);
    }

    /** Opens a door whose connections all lead to one object. */
    public static SocksDoor forward(RouterLink link, InetSocketAddress at, String object) throws IOException {
        return new SocksDoor(link, at, "", object);
    }

    /** Returns where it listens. */
    public InetSocketAddress at() {
        return acceptor.at();
    }

    private void serve(Socket client, Runnable settled) throws IOException {
        try {
            ByteBuffer in = ByteBuffer.allocate(2 * SocksRequest.BYTES_MAX).flip();
            SocksRequest wanted = object == null ? handshake(client, in) : null;
            settled.run();
            if (object != null || wanted != null) {
                connect(client, in, wanted);
            }
        } catch (Malformed e) {
            link.counted(StreamCount.DROPS_MALFORMED);
        }
    }

    /** Reads what a client wants; null if that is refused. */
    private @Nullable SocksRequest handshake(Socket client, ByteBuffer in) throws IOException, Malformed {
        client.setSoTimeout(StreamLimits.HANDSHAKE_MILLIS_MAX);
        Boolean open = SocksRequest.readGreeting(in);
        while (open == null) {
            more(client, in);
            open = SocksRequest.readGreeting(in);
        }
        if (!open) {
            return refuse(client, METHOD_REFUSED);
        }
        client.getOutputStream().write(METHOD_NONE);
        SocksRequest request = SocksRequest.read(in);
        while (request == null) {
            more(client, in);
            request = SocksRequest.read(in);
        }
        int code = request.refusal(zone);
        if (code != SocksRequest.DONE) {
            return refuse(client, SocksRequest.reply(code));
        }
        client.setSoTimeout(0);
        return request;
    }

    private @Nullable SocksRequest refuse(Socket client, byte[] reply) throws IOException {
        link.counted(StreamCount.SOCKS_REFUSED);
        client.getOutputStream().write(reply);
        return null;
    }

    private static void more(Socket client, ByteBuffer in) throws IOException {
        in.compact();
        byte[] some = new byte[in.remaining()];
        int count = client.getInputStream().read(some);
        if (count < 0) {
            throw new EOFException("the client has closed the connection");
        }
        in.put(some, 0, count).flip();
    }

    private void connect(Socket client, ByteBuffer in, @Nullable SocksRequest wanted) throws IOException {
        RepeatedStream opened;
        try {
            opened = wanted == null
                    ? new RepeatedStream(link, object == null ? "" : object, 0)
                    : new RepeatedStream(link, wanted.object(zone), wanted.port());
        } catch (IOException e) {
            link.counted(StreamCount.SOCKS_REFUSED);
            if (wanted != null) {
                int code = e instanceof StreamHandshake.Refused r ? SocksRequest.code(r.reason()) : SocksRequest.NETWORK_UNREACHABLE;
                client.getOutputStream().write(SocksRequest.reply(code));
            } else {
                client.setSoLinger(true, 0);
            }
            return;
        }
        try (RepeatedStream channel = opened) {
            if (wanted != null) {
                client.getOutputStream().write(SocksRequest.reply(SocksRequest.DONE));
            }
            channel.write(in);
            new StreamPump(client, channel).run();
        }
    }

    @Override
    public void close() {
        acceptor.close();
    }
}
