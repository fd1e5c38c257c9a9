package io.guidepost.server.dns;

import io.guidepost.dns.DnsStreamResponder;
import io.guidepost.dns.transfer.ZoneTransfers;
import io.guidepost.server.http.BackpressuredWriter;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.FlushCoalescer;
import io.guidepost.server.http.MessageConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of DNS: messages one behind the other, each behind its length in 16 bits (RFC 1035 section 4.2.2). They are answered
 * in their order, one at a time, those that need no wait here and the others on a thread of their own; until such an answer is out
 * nothing more is read. The connection stays open until the client ends it or is silent (RFC 7766).
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class DnsConnection extends MessageConnection {
    private static final System.Logger LOG = System.getLogger(DnsConnection.class.getName());
    private static final int LENGTH_BYTES = 2;

    private final DnsListeners room;
    private boolean answering;

    DnsConnection(DnsListeners room) {
        super(room.host());
        this.room = room;
    }

    @Override
    protected boolean isBusy() {
        return answering;
    }

    /** Answers the messages that are whole, until one of them has to wait. */
    @Override
    protected void go(ChannelHandlerContext context) {
        while (!answering && !ended && rest != null) {
            if (!isTaking(context)) {
                return;
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
}
