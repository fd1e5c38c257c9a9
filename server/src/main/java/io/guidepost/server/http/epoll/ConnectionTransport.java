package io.guidepost.server.http.epoll;

import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.udp.UdpBackEnd;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/** How connections are accepted, read and written. */
public enum ConnectionTransport {
    /** By calls of the Linux kernel; on other systems as {@link #NIO}. */
    EPOLL,
    /** By the channels of the JDK. */
    NIO;

    /** Returns what a back end of sockets means for connections. */
    public static ConnectionTransport of(UdpBackEnd backEnd) {
        return backEnd == UdpBackEnd.CHANNEL ? NIO : EPOLL;
    }

    private boolean byKernel() {
        return this == EPOLL && SystemCall.AVAILABLE;
    }

    /** Returns the number of the socket of a port; negative if only this process can have it. */
    public static int descriptor(Channel port) {
        return port instanceof EpollPort known ? known.number() : -1;
    }

    /** Returns another number of the socket of a connection, which nothing waits to be sent by; negative if there is none to be had. */
    public static int duplicate(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return channel instanceof EpollConnection known && unsent != null && unsent.totalPendingWriteBytes() == 0
                ? known.loop().calls().duplicate(known.number())
                : -1;
    }

    /**
     * Has a port go on with a connection of another process; for any thread.
     *
     * @param received what the other received, and did not answer
     */
    public static void adopt(Channel port, int descriptor, byte[] received) {
        port.eventLoop().execute(() -> ((EpollPort) port).adopt(descriptor, received));
    }

    /** What drives an event loop. */
    public IoHandlerFactory loops() {
        return byKernel() ? EpollLoop.factory() : NioIoHandler.newFactory();
    }

    /**
     * Says what a port and its connections are: these send without delay, and live on when the other side has ended its
     * direction.
     *
     * @param backlog connections that the kernel keeps until they are accepted
     */
    public void prepare(ServerBootstrap bootstrap, int backlog) {
        if (byKernel()) {
            bootstrap.channelFactory(() -> new EpollPort(backlog));
        } else {
            bootstrap.channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_BACKLOG, backlog)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new AdaptiveRecvByteBufAllocator(
                                    EpollLimits.READ_BYTES_MIN, EpollLimits.FIRST_READ_BYTES, EpollLimits.READ_BYTES_MAX))
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
    }
}
