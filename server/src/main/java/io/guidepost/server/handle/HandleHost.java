package io.guidepost.server.handle;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ports of the Handle door that take connections: messages of the native protocol over TCP; and HTTP/1.1, HTTP/2 and
 * TLS on one port. First all ports are had, and the kernel keeps who comes; {@link #start} lets them in.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public final class HandleHost implements AutoCloseable {
    static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(Limits.UNSENT_BYTES_MAX / 4, Limits.UNSENT_BYTES_MAX);

    private static final long CLOSE_MILLIS_MAX = 2000;

    private final HostSettings settings;
    private final HostCounts counts = new HostCounts();
    private final Work work;
    private final EventLoopGroup loops;
    private final List<Channel> tcp = new ArrayList<>();
    private final List<Channel> http = new ArrayList<>();
    private volatile @Nullable Room room;
    private volatile @Nullable SslContext tls;

    private HandleHost(HostSettings settings) {
        this.settings = settings;
        this.work = new Work(settings.inFlightMax(), counts);
        this.loops = new MultiThreadIoEventLoopGroup(
                settings.loops(), new DefaultThreadFactory("guidepost-handle", true), NioIoHandler.newFactory());
    }

    /**
     * Has the ports.
     *
     * @param addresses to listen at
     * @param tcpPort of the native protocol; 0 = a free one, -1 = none
     * @param httpPort of HTTP; 0 = a free one, -1 = none
     * @throws IOException in one line, if a port cannot be had
     */
    public static HandleHost open(HostSettings settings, List<InetAddress> addresses, int tcpPort, int httpPort)
            throws IOException {
        HandleHost host = new HandleHost(settings);
        try {
            bind(host.tcp, addresses, tcpPort, host.bootstrap(host::initializeTcp), "handle.tcp-port");
            bind(host.http, addresses, httpPort, host.bootstrap(host::initializeHttp), "handle.http-port");
        } catch (IOException e) {
            host.close();
            throw e;
        }
        return host;
    }

    private interface Initializer {
        void initialize(Channel channel, Room in);
    }

    private ServerBootstrap bootstrap(Initializer initializer) {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, Limits.BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        Room in = room;
                        counts.add(HostCount.ACCEPTED);
                        channel.closeFuture().addListener(each -> counts.add(HostCount.ENDED));
                        if (in == null || counts.connections() > settings.connectionsMax()) {
                            counts.add(HostCount.REFUSED);
                            channel.close();
                        } else {
                            initializer.initialize(channel, in);
                        }
                    }
                });
    }

    private static void bind(
            List<Channel> channels, List<InetAddress> addresses, int port, ServerBootstrap bootstrap, String key)
            throws IOException {
        int number = port;
        for (InetAddress each : port < 0 ? List.<InetAddress>of() : addresses) {
            InetSocketAddress address = new InetSocketAddress(each, number);
            ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException(
                        address + " cannot be had (" + bound.cause().getMessage() + "): stop what has it (ss -ltnp), or set "
                                + key,
                        bound.cause());
            }
            channels.add(bound.channel());
            // Of several addresses all have the number that the first was given.
            number = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        }
    }

    private void initializeTcp(Channel channel, Room in) {
        channel.pipeline().addLast(new NativeConnection(in));
    }

    private void initializeHttp(Channel channel, Room in) {
        Arrivals arrivals = new Arrivals(in);
        channel.pipeline().addLast(arrivals, new Unification(in, arrivals, tls), new Last());
    }

    /** Closes a connection whose fault nobody else took. */
    private static final class Last extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /**
     * Lets connections in.
     *
     * @param services answer what they ask
     * @param context of TLS; null = TLS is not spoken
     * @param streams TLS with the server's own key, in which mirrors get what they ask for; null = they get nothing
     */
    public void start(Services services, @Nullable SslContext context, @Nullable SslContext streams) {
        tls = context;
        room = new Room(settings, services, counts, work, new Refusals(InstantSource.system()), streams);
        tcp.forEach(each -> each.config().setAutoRead(true));
        http.forEach(each -> each.config().setAutoRead(true));
    }

    /** Where messages of the native protocol are taken. */
    public List<InetSocketAddress> tcpAddresses() {
        return addresses(tcp);
    }

    /** Where HTTP is spoken. */
    public List<InetSocketAddress> httpAddresses() {
        return addresses(http);
    }

    private static List<InetSocketAddress> addresses(List<Channel> channels) {
        return channels.stream().map(each -> (InetSocketAddress) each.localAddress()).toList();
    }

    /** What was counted at the connections. */
    public HostCounts counts() {
        return counts;
    }

    /** Requests under way. */
    public int inFlight() {
        return work.inFlight();
    }

    /** Takes no more connections, lets requests under way end, and closes all. */
    @Override
    public void close() {
        tcp.forEach(each -> each.close().awaitUninterruptibly());
        http.forEach(each -> each.close().awaitUninterruptibly());
        work.close();
        loops.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
