package io.guidepost.server.dns;

import io.guidepost.dns.DnsContext;
import io.guidepost.dns.DnsStreamResponder;
import io.guidepost.dns.transfer.ZoneTransfers;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.netty.channel.Channel;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The ports of DNS that take connections, and what answers on them. First all ports are had; {@link #start} lets clients in. */
final class DnsListeners implements AutoCloseable {
    private final HttpServer host;
    private final List<DnsStreamResponder> all = new CopyOnWriteArrayList<>();
    private final Queue<DnsStreamResponder> waiting = new ConcurrentLinkedQueue<>();
    private final FastThreadLocal<DnsStreamResponder> quick = new FastThreadLocal<>() {
        @Override
        protected DnsStreamResponder initialValue() {
            return make(false);
        }
    };
    private List<InetSocketAddress> addresses = List.of();
    private volatile @Nullable DnsContext context;
    private volatile @Nullable ZoneTransfers transfers;

    private DnsListeners(HttpServerSettings settings) {
        this.host = new HttpServer(settings, "dns");
    }

    /**
     * Has the ports.
     *
     * @param port 0 = a free one
     * @throws IOException in one line, if a port cannot be had
     */
    static DnsListeners open(HttpServerSettings settings, List<InetAddress> addresses, int port) throws IOException {
        DnsListeners opened = new DnsListeners(settings);
        try {
            opened.addresses = opened.host.listen(addresses, port, "dns.port", opened::connected);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void connected(Channel channel) {
        channel.pipeline().addLast(new DnsConnection(this));
    }

    private DnsStreamResponder make(boolean waits) {
        DnsContext now = context;
        if (now == null) {
            throw new IllegalStateException("connections are let in when their messages can be answered");
        }
        DnsStreamResponder responder = new DnsStreamResponder(now, waits);
        all.add(responder);
        return responder;
    }

    /** Lets connections in. */
    void start(DnsContext shared, ZoneTransfers zone) {
        context = shared;
        transfers = zone;
        host.start();
    }

    HttpServer host() {
        return host;
    }

    List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Returns all that answer, for what they counted. */
    List<DnsStreamResponder> responders() {
        return all;
    }

    /** Returns what answers at once on this thread, which is one that reads. */
    DnsStreamResponder quick() {
        return quick.get();
    }

    /** Returns one that may wait, until {@link #giveBack}; there are as many as wait at a time. */
    DnsStreamResponder borrow() {
        DnsStreamResponder free = waiting.poll();
        return free == null ? make(true) : free;
    }

    void giveBack(DnsStreamResponder responder) {
        waiting.add(responder);
    }

    /** Returns what answers a message that asks for a transfer which its sender may have; null for other messages. */
    @Nullable ZoneTransfers transfers(byte[] message, InetSocketAddress peer) {
        ZoneTransfers now = transfers;
        return now != null && now.isFor(message, peer) ? now : null;
    }

    /** Takes no more connections, lets requests under way end, and closes all. */
    @Override
    public void close() {
        host.close();
    }
}
