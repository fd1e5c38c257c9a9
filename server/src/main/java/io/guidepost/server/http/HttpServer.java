package io.guidepost.server.http;

import io.guidepost.base.AddressText;
import io.guidepost.base.SharedCounters;
import io.guidepost.base.SocketFile;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ports of one door that take connections: those where HTTP/1.1, HTTP/2 and TLS are spoken, and others whose protocol the
 * door brings. First all ports are had, and the kernel keeps who comes; {@link #start} lets them in.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public final class HttpServer implements AutoCloseable {
    static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(HttpLimits.UNSENT_BYTES_MAX / 4, HttpLimits.UNSENT_BYTES_MAX);

    private static final long CLOSE_MILLIS_MAX = 2000;
    private static final long LOOK_NANOS = 1_000_000;

    private final SharedCounters<ConnectionCounter> counts = new SharedCounters<>(ConnectionCounter.class);
    private final RequestExecutor work;
    private final RequestExecutor lasting;
    private final EventLoopGroup loops;
    private final List<Channel> ports = new ArrayList<>();
    /** Connections of another process that wait for {@link #start}. */
    private final List<ParkedConnection> adopted = new ArrayList<>();

    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile HttpServerSettings settings;
    private volatile @Nullable HttpContext room;
    private volatile @Nullable TlsContext tls;
    private volatile long drainedAtNanos;
    private volatile boolean draining;

    /**
     * One without ports.
     *
     * @param name of the door, which its threads are named after
     */
    public HttpServer(HttpServerSettings settings, String name) {
        this.settings = settings;
        this.work = new RequestExecutor(name, settings.inFlightMax(), counts, ConnectionCounter.REQUESTS_REFUSED_BUSY);
        this.lasting = new RequestExecutor(
                name + "-lasting", settings.lastingMax(), counts, ConnectionCounter.REQUESTS_REFUSED_STREAMS_MAX);
        this.loops = new MultiThreadIoEventLoopGroup(
                settings.loops(), new DefaultThreadFactory("guidepost-" + name, true), settings.transport().loops());
    }

    /**
     * Has ports where HTTP is spoken.
     *
     * @param port 0 = a free one, -1 = none
     * @param key of the configuration that says which
     * @return the addresses, with the number that was given
     * @throws IOException in one line, if a port cannot be had
     */
    public List<InetSocketAddress> listen(List<InetAddress> addresses, int port, String key) throws IOException {
        return listen(addresses, port, key, this::http);
    }

    /**
     * Has a Unix socket where HTTP is spoken, which its user alone may connect to; for a server over {@link ConnectionTransport#NIO}.
     *
     * @throws IOException in one line, if the socket cannot be had
     */
    public void listen(Path socket, String key) throws IOException {
        try {
            if (answers(socket)) {
                throw new IOException("another server has it");
            }
            SocketFile.make(socket, made -> {
                ChannelFuture bound = bootstrap(this::http)
                        .channel(NioServerDomainSocketChannel.class)
                        .bind(UnixDomainSocketAddress.of(made))
                        .awaitUninterruptibly();
                if (!bound.isSuccess()) {
                    throw new IOException(bound.cause());
                }
                ports.add(bound.channel());
            });
        } catch (IOException e) {
            throw new IOException("the Unix socket " + socket + " cannot be had (" + e.getMessage() + "): set " + key, e);
        }
    }

    private static boolean answers(Path socket) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Has ports whose connections are made ready by somebody else; never before {@link #start}.
     *
     * @throws IOException in one line, if a port cannot be had
     */
    public List<InetSocketAddress> listen(
            List<InetAddress> addresses, int port, String key, Consumer<Channel> connected) throws IOException {
        List<InetSocketAddress> had = new ArrayList<>();
        int number = port;
        ServerBootstrap bootstrap = bootstrap(connected);
        settings.transport().prepare(bootstrap, HttpLimits.BACKLOG);
        for (InetAddress each : port < 0 ? List.<InetAddress>of() : addresses) {
            InetSocketAddress address = new InetSocketAddress(each, number);
            ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException(
                        AddressText.of(address) + " cannot be had (" + bound.cause().getMessage()
                                + "): stop what has it (ss -ltnp), or set " + key,
                        bound.cause());
            }
            ports.add(bound.channel());
            InetSocketAddress local = (InetSocketAddress) bound.channel().localAddress();
            had.add(local);
            // Of several addresses all have the number that the first was given.
            number = local.getPort();
        }
        return List.copyOf(had);
    }

    private ServerBootstrap bootstrap(Consumer<Channel> connected) {
        return new ServerBootstrap()
                .group(loops)
                .handler(new Pause())
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        counts.add(ConnectionCounter.CONNECTIONS_ACCEPTED);
                        open.add(channel);
                        channel.closeFuture().addListener(each -> {
                            open.remove(channel);
                            counts.add(ConnectionCounter.CONNECTIONS_ENDED);
                        });
                        if (room == null || connections() > settings.connectionsMax()) {
                            counts.add(ConnectionCounter.CONNECTIONS_ABORTED_CONNECTIONS_MAX);
                            channel.close();
                        } else {
                            connected.accept(channel);
                        }
                    }
                });
    }

    private void http(Channel channel) {
        HttpContext in = room;
        if (in == null) {
            channel.close();
            return;
        }
        ConnectionGuard arrivals = new ConnectionGuard(in);
        channel.pipeline().addLast(arrivals, new ProtocolDetector(in, arrivals, tls), new Last());
    }

    /** Accepts no connection for a while when the process has no file number left: open ones will give some back. */
    @ChannelHandler.Sharable
    private final class Pause extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            counts.add(ConnectionCounter.FAILED_ACCEPTS);
            Channel port = context.channel();
            port.config().setAutoRead(false);
            context.executor()
                    .schedule(
                            () -> port.config().setAutoRead(true), HttpLimits.ACCEPT_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Closes a connection whose fault no handler took. */
    private static final class Last extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /**
     * Lets connections in.
     *
     * @param answers what they ask over HTTP
     * @param context of TLS; null = TLS is not spoken
     */
    public synchronized void start(RequestHandler answers, @Nullable TlsContext context) {
        tls = context;
        room = new HttpContext(settings, answers, counts, this::connections, work, lasting);
        ports.forEach(each -> each.config().setAutoRead(true));
        adopted.forEach(this::adopt);
        adopted.clear();
    }

    /** Lets connections in, to ports none of which is one of HTTP. */
    public void start() {
        start(NoHttp.INSTANCE, null);
    }

    /**
     * Follows a reload: connections from now on are treated so; those that there are keep their times and their certificate.
     *
     * @param next settings, of which transport and loops are left out
     * @param context of TLS; null = TLS is not spoken
     */
    public void follow(HttpServerSettings next, @Nullable TlsContext context) {
        tls = context;
        settings = next;
        work.atMost(next.inFlightMax());
        lasting.atMost(next.lastingMax());
        HttpContext now = room;
        if (now != null) {
            room = new HttpContext(next, now.answers(), counts, this::connections, work, lasting);
        }
    }

    /**
     * Returns the numbers of the sockets of its ports, by address, for who hands them to another process.
     *
     * @throws IOException in one line, if only this process can have them
     */
    public Map<InetSocketAddress, Integer> descriptors() throws IOException {
        Map<InetSocketAddress, Integer> all = new LinkedHashMap<>();
        for (Channel each : ports) {
            int number = ConnectionTransport.descriptor(each);
            if (number < 0 && each.localAddress() instanceof InetSocketAddress address) {
                throw new IOException(
                        "the port at " + AddressText.of(address) + " is of the JDK, which keeps it: set server.back-end to kernel");
            }
            if (each.localAddress() instanceof InetSocketAddress address) {
                all.put(address, number);
            }
        }
        return all;
    }

    /** Accepts no connection, until this is called again with {@code false}: the kernel keeps who comes. */
    public void hold(boolean held) {
        ports.forEach(each -> each.eventLoop().submit(() -> each.config().setAutoRead(!held)).awaitUninterruptibly());
    }

    /**
     * Parks connections on which no request is under way.
     *
     * @param parked takes them
     * @return whether others may be parked soon
     */
    public boolean park(List<ParkedConnection> parked) {
        boolean left = false;
        for (Channel each : open) {
            left |= Boolean.TRUE.equals(each.eventLoop().submit(() -> park(each, parked)).awaitUninterruptibly().getNow());
        }
        return left;
    }

    private static boolean park(Channel channel, List<ParkedConnection> parked) {
        Parkable handler = channel.pipeline().get(Parkable.class);
        if (!channel.isActive() || handler == null || !handler.mayPark()) {
            return false;
        }
        byte[] received = handler.unanswered();
        int number = received == null || received.length > HttpLimits.PARKED_BYTES_MAX ? -1 : ConnectionTransport.duplicate(channel);
        if (received != null && number >= 0) {
            parked.add(new ParkedConnection((InetSocketAddress) channel.parent().localAddress(), number, received));
            channel.close();
            return false;
        }
        return true;
    }

    /**
     * Lets all connections end behind what was asked, and returns when each loop knows: another process has the ports. Not to be
     * called by a loop.
     */
    public void drain() {
        drainedAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HttpLimits.DRAIN_MILLIS);
        draining = true;
        List<Future<?>> told = new ArrayList<>();
        open.forEach(each -> told.add(each.eventLoop().submit(() -> {
            Parkable handler = each.pipeline().get(Parkable.class);
            if (handler != null) {
                handler.drain();
            }
        })));
        told.forEach(each -> each.awaitUninterruptibly(HttpLimits.DRAIN_MILLIS));
    }

    private void awaitDrained() {
        while (draining && !open.isEmpty() && System.nanoTime() - drainedAtNanos < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Goes on with a connection that was parked; false if it came to a port that is not of these. */
    public synchronized boolean adopt(ParkedConnection parked) {
        Optional<Channel> port = ports.stream().filter(each -> parked.port().equals(each.localAddress())).findFirst();
        if (room == null) {
            port.ifPresent(_ -> adopted.add(parked));
        } else {
            port.ifPresent(each -> ConnectionTransport.adopt(each, parked.descriptor(), parked.received()));
        }
        return port.isPresent();
    }

    /** How connections are treated. */
    public HttpServerSettings settings() {
        return settings;
    }

    /** Connections that are there. */
    public long connections() {
        // What ended is read first, so that the difference is never below zero.
        long ended = counts.get(ConnectionCounter.CONNECTIONS_ENDED);
        return counts.get(ConnectionCounter.CONNECTIONS_ACCEPTED) - ended;
    }

    /** What was counted at the connections. */
    public SharedCounters<ConnectionCounter> counts() {
        return counts;
    }

    /**
     * Writes its connections and requests as metrics, and until when its certificate is valid.
     *
     * @param prefix names the door, with an underscore at its end
     */
    public void write(Exposition out, String prefix) {
        out.gauge(prefix + "connections", "Connections that are there.").sample(connections());
        out.gauge(prefix + "in_flight", "Requests over connections under way.").sample(inFlight());
        new CounterFamilies<>(ConnectionCounter.class, prefix)
                .family("connections_accepted", "Connections that were accepted.")
                .family("connections_ended", "Connections that ended, for any reason.")
                .family("connections_aborted", "Connections that ended otherwise than agreed, by reason.", "reason")
                .family("failed_accepts", "Times that no connection could be accepted, for want of file numbers or memory.")
                .family("requests_refused", "Messages and requests over connections that were refused, by reason.", "reason")
                .family("requests_at_once", "Requests over connections that were answered without waiting for anything.")
                .family("aborted_streams", "Answers that were ended because the client had gone.")
                .family("connection_faults", "Internal errors of the server while it answered.")
                .write(out, counts::get);
        TlsContext context = tls;
        out.gauge(prefix + "certificate_expiry_timestamp_seconds", "When the TLS certificate expires, seconds since 1970.");
        if (context != null) {
            out.sample(context.expiry().getEpochSecond());
        }
    }

    /** Where what may wait is done. */
    public RequestExecutor work() {
        return work;
    }

    /** Requests under way. */
    public int inFlight() {
        return work.inFlight();
    }

    /** Requests under way that wait for something to happen. */
    public int lasting() {
        return lasting.inFlight();
    }

    /** Takes no more connections, lets requests under way end, and closes all. */
    @Override
    public void close() {
        ports.forEach(each -> each.close().awaitUninterruptibly());
        lasting.interrupt();
        awaitDrained();
        lasting.close();
        work.close();
        loops.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
