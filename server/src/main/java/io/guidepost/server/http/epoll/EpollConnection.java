package io.guidepost.server.http.epoll;

import io.guidepost.packet.linux.SystemCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A connection that came to a port. What is received goes through the loop's memory into an array as long as it is; what
 * is to be sent is gathered there, so that all of it leaves with one call. Either side may end its direction first.
 */
final class EpollConnection extends EpollChannel {
    private final InetSocketAddress peer;

    /** What another process received of it, and did not answer; none once it is read here. */
    private byte[] received = {};

    /** Whether the other side has ended its direction or the connection is broken: then a short read is not the last. */
    private boolean ending;

    private boolean ended;

    /** Whether the kernel has no room for what is to be sent, and will say when it has. */
    private boolean blocked;

    private boolean watchedForRoom;

    EpollConnection(Channel port, int number, InetSocketAddress peer) {
        super(port, number);
        this.peer = peer;
    }

    /** Has these bytes be read before all that the kernel has. */
    void goOnWith(byte[] bytes) {
        received = bytes;
        arrived();
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new Sender();
    }

    /** Sends nothing while the kernel has no room. */
    private final class Sender extends Side {
        @Override
        protected void flush0() {
            if (!blocked) {
                super.flush0();
            }
        }
    }

    @Override
    void ending() {
        ending = true;
    }

    @Override
    void sendOn() {
        ChannelOutboundBuffer unsent = unsafe().outboundBuffer();
        if (unsent != null && unsent.size() > 0) {
            blocked = false;
            ((Sender) unsafe()).flush0();
        }
    }

    @Override
    void take() {
        EpollLoop loop = loop();
        int got;
        int reads = 0;
        if (received.length > 0) {
            byte[] first = received;
            received = new byte[0];
            reads++;
            pipeline().fireChannelRead(Unpooled.wrappedBuffer(first));
        }
        do {
            taking();
            got = loop.calls().receive(number(), loop.roomAddress(), EpollLimits.ROOM_BYTES);
            if (got <= 0) {
                break;
            }
            byte[] bytes = new byte[got];
            loop.room().get(0, bytes);
            // Fewer than there is room for are all that had come, and the next will be told; but not an end that was told.
            if (got < EpollLimits.ROOM_BYTES && !ending) {
                drained();
            }
            reads++;
            pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes));
        } while ((got == EpollLimits.ROOM_BYTES || ending) && wantsMore() && reads < EpollLimits.READS_IN_TURN_MAX);
        if (got == -SystemCall.EAGAIN) {
            drainedInVain();
        } else if (got == -SystemCall.EINTR) {
            doBeginRead();
        } else if (got <= 0) {
            drained();
        }
        if (reads > 0) {
            pipeline().fireChannelReadComplete();
        }
        if (got == 0) {
            end();
        } else if (got < 0 && got != -SystemCall.EAGAIN && got != -SystemCall.EINTR) {
            pipeline().fireExceptionCaught(new IOException(SystemCall.meaning(-got)));
            unsafe().close(voidPromise());
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer unsent) throws IOException {
        EpollLoop loop = loop();
        for (int writes = 0; unsent.size() > 0; writes++) {
            if (writes == EpollLimits.WRITES_IN_TURN_MAX) {
                side().resumeLater();
                return;
            }
            int sent = send(loop, unsent);
            if (sent == -SystemCall.EAGAIN) {
                block(loop);
                return;
            }
            if (sent < 0 && sent != -SystemCall.EINTR) {
                throw new IOException(SystemCall.meaning(-sent));
            }
            unsent.removeBytes(Math.max(0, sent));
        }
    }

    /** Sends what is first, or several if they are small. */
    private int send(EpollLoop loop, ChannelOutboundBuffer unsent) throws IOException {
        ByteBuf first = (ByteBuf) unsent.current();
        int bytes = first.readableBytes();
        if (bytes >= EpollLimits.IN_PLACE_BYTES_MIN && first.hasMemoryAddress()) {
            return loop.calls().send(number(), first.memoryAddress() + first.readerIndex(), bytes);
        }
        ByteBuffer room = loop.room().clear();
        if (unsent.size() == 1) {
            gather(first, room);
        } else {
            gatherWrite(unsent, room);
        }
        // Nothing is to be sent if all of them are empty, as those are that only wait for what is before them.
        return room.position() == 0 ? 0 : loop.calls().send(number(), loop.roomAddress(), room.position());
    }

    private static void gatherWrite(ChannelOutboundBuffer unsent, ByteBuffer room) throws IOException {
        try {
            unsent.forEachFlushedMessage(each -> gather((ByteBuf) each, room));
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("what is to be sent cannot be read", e);
        }
    }

    /** Puts what is to be sent behind what is there; whether there may be room for more. */
    private static boolean gather(ByteBuf from, ByteBuffer room) {
        int bytes = Math.min(from.readableBytes(), room.remaining());
        if (from.hasArray()) {
            room.put(from.array(), from.arrayOffset() + from.readerIndex(), bytes);
        } else {
            int end = room.position() + bytes;
            room.limit(end);
            from.getBytes(from.readerIndex(), room);
            room.limit(room.capacity());
        }
        return room.hasRemaining();
    }

    private void block(EpollLoop loop) throws IOException {
        blocked = true;
        if (!watchedForRoom) {
            watchedForRoom = true;
            loop.watchWritable(side());
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf) {
            return message;
        }
        throw new IllegalStateException("a connection sends bytes, not a " + message.getClass().getName());
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new IllegalStateException("a connection has its address");
    }

    @Override
    protected void doShutdownOutput() {
        loop().calls().endOutput(number());
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return peer;
    }
}
