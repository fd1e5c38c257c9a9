package io.guidepost.server.handle.connection;

import io.guidepost.base.SharedCounters;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.Exposition;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ports of the Handle door that take connections: messages of the native protocol over TCP; and HTTP on another port,
 * by which messages may come too. First all ports are had, and the kernel keeps who comes; {@link #start} lets them in.
 */
public final class HandleListeners implements AutoCloseable {
    private final HttpServer host;
    private List<InetSocketAddress> tcp = List.of();
    private List<InetSocketAddress> http = List.of();
    private volatile @Nullable HandleConnectionContext room;

    private HandleListeners(HttpServerSettings settings) {
        this.host = new HttpServer(settings, "handle");
    }

    /**
     * Has the ports.
     *
     * @param addresses to listen at
     * @param tcpPort of the native protocol; 0 = a free one, -1 = none
     * @param httpPort of HTTP; 0 = a free one, -1 = none
     * @throws IOException in one line, if a port cannot be had
     */
    public static HandleListeners open(HttpServerSettings settings, List<InetAddress> addresses, int tcpPort, int httpPort)
            throws IOException {
        HandleListeners opened = new HandleListeners(settings);
        try {
            opened.tcp = opened.host.listen(addresses, tcpPort, "handle.tcp-port", opened::messages);
            opened.http = opened.host.listen(addresses, httpPort, "handle.http-port");
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void messages(Channel channel) {
        HandleConnectionContext in = room;
        if (in == null) {
            throw new IllegalStateException("connections are let in when there is somebody to answer them");
        }
        channel.pipeline().addLast(new NativeProtocolConnection(in));
    }

    /**
     * Lets connections in.
     *
     * @param services answer what they ask
     * @param context of TLS; null = TLS is not spoken
     * @param streams TLS with the server's own key, in which mirrors get what they ask for; null = they get nothing
     */
    public void start(ConnectionServices services, @Nullable TlsContext context, @Nullable TlsContext streams) {
        HandleConnectionContext shared = new HandleConnectionContext(host, services, new ErrorReplies(InstantSource.system()), streams);
        room = shared;
        host.start(new HandleHttpHandler(shared), context);
    }

    /** What has the ports. */
    public HttpServer host() {
        return host;
    }

    /** Follows a reload, see {@link HttpServer#follow}. */
    public void follow(HttpServerSettings next, @Nullable TlsContext context) {
        host.follow(next, context);
    }

    /** Where messages of the native protocol are taken. */
    public List<InetSocketAddress> tcpAddresses() {
        return tcp;
    }

    /** Where HTTP is spoken. */
    public List<InetSocketAddress> httpAddresses() {
        return http;
    }

    /** Writes its connections and requests as metrics. */
    public void write(Exposition out) {
        host.write(out, "guidepost_handle_");
    }

    /** What was counted at the connections. */
    public SharedCounters<ConnectionCounter> counts() {
        return host.counts();
    }

    /** Requests under way. */
    public int inFlight() {
        return host.inFlight();
    }

    /** Takes no more connections, lets requests under way end, and closes all. */
    @Override
    public void close() {
        host.close();
    }
}
