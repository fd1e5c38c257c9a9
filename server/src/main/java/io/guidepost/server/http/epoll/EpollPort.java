package io.guidepost.server.http.epoll;

import io.guidepost.packet.linux.SystemCall;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A port that connections come to. */
final class EpollPort extends EpollChannel implements ServerChannel {
    private final int backlog;

    /**
     * One without an address.
     *
     * @param backlog connections that the kernel keeps until they are accepted
     */
    EpollPort(int backlog) {
        super(null, -1);
        this.backlog = backlog;
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new Side();
    }

    @Override
    protected void doBind(SocketAddress address) throws IOException {
        have(loop().calls().listen((InetSocketAddress) address, backlog));
    }

    @Override
    void take() {
        EpollLoop loop = loop();
        int accepted = 0;
        int refused = 0;
        do {
            taking();
            int socket = loop.calls().accept(number());
            if (socket >= 0) {
                accepted++;
                pipeline().fireChannelRead(new EpollConnection(this, socket, loop.calls().peer()));
            } else if (socket == -SystemCall.EAGAIN) {
                drainedInVain();
                break;
            } else if (isGone(-socket)) {
                accepted++;
            } else {
                refused = -socket;
                break;
            }
        } while (wantsMore() && accepted < EpollLimits.ACCEPTS_IN_TURN_MAX);
        if (refused != 0) {
            pipeline().fireExceptionCaught(new IOException("no connection is accepted: " + SystemCall.meaning(refused)));
        }
        pipeline().fireChannelReadComplete();
    }

    /** Goes on with a connection of another process, as if it came now. */
    void adopt(int socket, byte[] received) {
        EpollConnection connection = new EpollConnection(this, socket, loop().calls().peer(socket));
        connection.goOnWith(received);
        pipeline().fireChannelRead(connection);
        pipeline().fireChannelReadComplete();
    }

    /** Whether only the one who came is gone; with any other error no connection can be accepted until something is given back. */
    private static boolean isGone(int error) {
        return error == SystemCall.ECONNABORTED || error == SystemCall.EPERM || error == SystemCall.EINTR;
    }

    @Override
    void sendOn() {
        // A port sends nothing.
    }

    @Override
    void ending() {
        // A port has no end but its own.
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer unsent) {
        throw new IllegalStateException("a port sends nothing");
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return null;
    }
}
