package io.guidepost.server.dns;

import io.guidepost.dns.DnsStreamResponder;
import io.guidepost.dns.ZoneTransfers;
import io.guidepost.server.http.BackpressuredWriter;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.FlushCoalescer;
import io.guidepost.server.http.Parkable;
import io.guidepost.server.http.ReadTimeout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of DNS: messages one behind the other, each behind its length in 16 bits (RFC 1035 section 4.2.2). They are answered
 * in their order, one at a time, those that need no wait here and the others on a thread of their own; until such an answer is out
 * nothing more is read. The connection stays open until the client ends it or is silent (RFC 7766).
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class DnsConnection extends ChannelInboundHandlerAdapter implements Parkable {
    private static final System.Logger LOG = System.getLogger(DnsConnection.class.getName());
    private static final int LENGTH_BYTES = 2;

    private final DnsListeners room;
    private @Nullable ByteBuf rest;
    private @Nullable ReadTimeout readTimeout;
    private boolean answering;
    private boolean inputEnded;
    private boolean ended;
    private boolean draining;

    DnsConnection(DnsListeners room) {
        this.room = room;
    }

    @Override
    public boolean mayPark() {
        return !ended && !inputEnded;
    }

    @Override
    public byte @Nullable [] unanswered() {
        if (answering) {
            return null;
        }
        return rest == null ? new byte[0] : ByteBufUtil.getBytes(rest);
    }

    @Override
    public void drain() {
        draining = true;
    }

    private ReadTimeout readTimeout(ChannelHandlerContext context) {
        if (readTimeout == null) {
            readTimeout = new ReadTimeout(context.channel().eventLoop(), room.host()::connections, () -> late(context));
        }
        return readTimeout;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        readTimeout(context).atMost(room.host().settings().idleMillis());
    }

    private void late(ChannelHandlerContext context) {
        boolean stuck = !context.channel().isWritable();
        ConnectionCounter silent =
                rest == null ? ConnectionCounter.CONNECTIONS_ABORTED_IDLE : ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER;
        room.host().counts().add(stuck ? ConnectionCounter.CONNECTIONS_ABORTED_SLOW_RECEIVER : silent);
        context.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        if (ended) {
            read.release();
            return;
        }
        boolean begun = rest == null;
        int bytes = read.readableBytes();
        rest = begun ? read : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), rest, read);
        go(context);
        if (rest != null && !answering && !ended && context.channel().isWritable()) {
            if (begun) {
                readTimeout(context).message(room.host().settings());
            }
            readTimeout(context).received(bytes);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable() && !answering) {
            go(context);
        }
    }

    /** Answers the messages that are whole, until one of them has to wait. */
    private void go(ChannelHandlerContext context) {
        while (!answering && !ended && rest != null) {
            if (!context.channel().isWritable()) {
                context.flush();
                if (!context.channel().isWritable()) {
                    context.channel().config().setAutoRead(false);
                    readTimeout(context).atMost(room.host().settings().receiverMillis());
                    return;
                }
            }
            byte[] message = next(rest);
            if (message == null) {
                break;
            }
            if (!rest.isReadable()) {
                release();
            }
            awaitMore(context);
            answer(context, message);
        }
        if (!answering && !ended) {
            if (inputEnded || draining && rest == null) {
                end(context);
            } else if (!context.channel().config().isAutoRead()) {
                context.channel().config().setAutoRead(true);
            }
        }
    }

    private static byte @Nullable [] next(ByteBuf from) {
        if (from.readableBytes() < LENGTH_BYTES) {
            return null;
        }
        int length = from.getUnsignedShort(from.readerIndex());
        if (from.readableBytes() < LENGTH_BYTES + length) {
            return null;
        }
        byte[] message = new byte[length];
        from.skipBytes(LENGTH_BYTES);
        from.readBytes(message);
        return message;
    }

    /** Waits for the next message, or for the rest of one that has begun. */
    private void awaitMore(ChannelHandlerContext context) {
        if (rest == null) {
            readTimeout(context).atMost(room.host().settings().idleMillis());
        } else {
            readTimeout(context).message(room.host().settings());
            readTimeout(context).received(rest.readableBytes());
        }
    }

    private static InetSocketAddress peer(ChannelHandlerContext context) {
        return (InetSocketAddress) context.channel().remoteAddress();
    }

    private void answer(ChannelHandlerContext context, byte[] message) {
        ZoneTransfers transfers = room.transfers(message, peer(context));
        byte[] answer = transfers == null ? room.quick().answer(message, peer(context), System.currentTimeMillis()) : null;
        if (answer != null) {
            room.host().counts().add(ConnectionCounter.REQUESTS_AT_ONCE);
            write(context, answer);
            FlushCoalescer.flush(context);
            return;
        }
        answering = true;
        context.channel().config().setAutoRead(false);
        readTimeout(context).end();
        Runnable task = transfers == null ? () -> await(context, message) : () -> transfer(context, message, transfers);
        if (room.host().work().start(task).isEmpty()) {
            // The client asks again, or another server.
            answering = false;
            end(context);
        }
    }

    private static void write(ChannelHandlerContext context, byte[] answer) {
        if (answer.length > 0) {
            context.write(framed(answer));
        }
    }

    private static ByteBuf framed(byte[] answer) {
        return Unpooled.wrappedBuffer(new byte[] {(byte) (answer.length >> Byte.SIZE), (byte) answer.length}, answer);
    }

    /** Answers on a thread that may wait. */
    private void await(ChannelHandlerContext context, byte[] message) {
        DnsStreamResponder responder = room.borrow();
        byte[] answer = responder.answer(message, peer(context), System.currentTimeMillis());
        room.giveBack(responder);
        context.executor().execute(() -> {
            if (answer != null) {
                write(context, answer);
                FlushCoalescer.flush(context);
            }
            goOn(context);
        });
    }

    private void goOn(ChannelHandlerContext context) {
        answering = false;
        awaitMore(context);
        go(context);
    }

    /** Sends the zone on a thread that waits for the secondary; a transfer that fails ends the connection, which tells it. */
    private void transfer(ChannelHandlerContext context, byte[] message, ZoneTransfers transfers) {
        BackpressuredWriter writer = new BackpressuredWriter(context.channel(), room.host().settings(), room.host().counts());
        boolean whole = false;
        try {
            transfers.send(message, each -> writer.send(framed(each)));
            whole = true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "a transfer to {0} ended early: {1}", peer(context).getHostString(), e.getMessage());
        } finally {
            boolean stays = whole;
            context.executor().execute(() -> {
                if (stays) {
                    goOn(context);
                } else {
                    context.close();
                }
            });
        }
    }

    private void end(ChannelHandlerContext context) {
        ended = true;
        readTimeout(context).atMost(room.host().settings().receiverMillis());
        release();
        context.write(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        FlushCoalescer.flush(context);
    }

    private void release() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            if (!answering) {
                go(context);
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        readTimeout(context).close();
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        room.host().counts()
                .add(cause instanceof IOException
                        ? ConnectionCounter.CONNECTIONS_ABORTED_BY_PEER
                        : ConnectionCounter.CONNECTION_FAULTS);
        context.close();
    }
}
