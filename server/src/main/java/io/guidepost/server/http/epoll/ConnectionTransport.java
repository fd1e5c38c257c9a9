package io.guidepost.server.http.epoll;

import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.udp.UdpBackEnd;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
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
