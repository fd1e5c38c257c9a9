package io.guidepost.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that messages of a protocol come by, one behind the other: what was received of the next one, how long its client
 * may be silent, and its end. A silent connection holds no buffer. Belongs to its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public abstract class MessageConnection extends ChannelInboundHandlerAdapter implements Parkable {
    private final HttpServer host;
    private @Nullable ReadTimeout readTimeout;

    /** What was received and not taken yet; null for nothing. */
    protected @Nullable ByteBuf rest;

    /** Whether the client sends nothing more. */
    protected boolean inputEnded;

    /** Whether the last answer was written. */
    protected boolean ended;

    /** Whether the connection is to end behind an answer. */
    protected boolean draining;

    protected MessageConnection(HttpServer host) {
        this.host = host;
    }

    /** Answers what is whole, until something has to wait. */
    protected abstract void go(ChannelHandlerContext context);

    /** Returns whether a message was taken that is not answered. */
    protected abstract boolean isBusy();

    @Override
    public boolean mayPark() {
        return !ended && !inputEnded;
    }

    @Override
    public byte @Nullable [] unanswered() {
        if (isBusy()) {
            return null;
        }
        return rest == null ? new byte[0] : ByteBufUtil.getBytes(rest);
    }

    @Override
    public void drain() {
        draining = true;
    }

    protected final ReadTimeout readTimeout(ChannelHandlerContext context) {
        if (readTimeout == null) {
            readTimeout = new ReadTimeout(context.channel().eventLoop(), host::connections, () -> late(context));
        }
        return readTimeout;
    }

    private void late(ChannelHandlerContext context) {
        boolean stuck = !context.channel().isWritable();
        ConnectionCounter silent =
                rest == null ? ConnectionCounter.CONNECTIONS_ABORTED_IDLE : ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER;
        host.counts().add(stuck ? ConnectionCounter.CONNECTIONS_ABORTED_SLOW_RECEIVER : silent);
        context.close();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        readTimeout(context).atMost(host.settings().idleMillis());
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
        if (rest != null && !isBusy() && !ended && context.channel().isWritable()) {
            if (begun) {
                readTimeout(context).message(host.settings());
            }
            readTimeout(context).received(bytes);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            go(context);
        }
    }

    /** Returns whether the client takes its answers; if not, nothing more is read until it does, for as long as it may wait. */
    protected final boolean isTaking(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            context.flush();
            if (!context.channel().isWritable()) {
                context.channel().config().setAutoRead(false);
                readTimeout(context).atMost(host.settings().receiverMillis());
                return false;
            }
        }
        return true;
    }

    /** Waits for the next message, or for the rest of one that has begun. */
    protected final void awaitMore(ChannelHandlerContext context) {
        if (rest == null) {
            readTimeout(context).atMost(host.settings().idleMillis());
        } else {
            readTimeout(context).message(host.settings());
            readTimeout(context).received(rest.readableBytes());
        }
    }

    /** Ends the connection behind what was written. */
    protected final void end(ChannelHandlerContext context) {
        ended = true;
        readTimeout(context).atMost(host.settings().receiverMillis());
        release();
        context.write(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        FlushCoalescer.flush(context);
    }

    /** Forgets what was received. */
    protected final void release() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            go(context);
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
        host.counts()
                .add(cause instanceof IOException
                        ? ConnectionCounter.CONNECTIONS_ABORTED_BY_PEER
                        : ConnectionCounter.CONNECTION_FAULTS);
        context.close();
    }
}
