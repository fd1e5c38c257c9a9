package io.guidepost.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Stands where the bytes of an HTTP connection come in: what has begun must come to its end in time, or is answered 408 if
 * its head is there (RFC 9110 section 15.5.9), and a connection on which nothing is asked is closed after a while. A peer
 * that ends its side while only streams are to come is gone.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class ConnectionGuard extends ChannelInboundHandlerAdapter implements Parkable {
    private final HttpContext room;
    private @Nullable ReadTimeout patience;
    private @Nullable ChannelPipeline pipeline;
    private boolean silent = true;
    private boolean multiplexed;
    private boolean securing;
    private boolean refused;
    private volatile boolean draining;
    private int asking;
    private int lasting;

    ConnectionGuard(HttpContext room) {
        this.room = room;
    }

    @Override
    public boolean mayPark() {
        return !multiplexed && !securing && !refused && lasting == 0 && pipeline != null && pipeline.get(SslHandler.class) == null;
    }

    @Override
    public byte @Nullable [] unanswered() {
        return asking > 0 || pipeline == null ? null : HttpPipeline.rest(pipeline, silent);
    }

    @Override
    public void drain() {
        draining = true;
        if (multiplexed && pipeline != null) {
            // Streams that were begun are answered; a client begins none after it has heard this (RFC 9113 section 6.8).
            pipeline.channel().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
        }
    }

    /** Returns whether the next answer is the last of the connection; for any thread. */
    boolean isDraining() {
        return draining;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        pipeline = context.pipeline();
        ReadTimeout waiting = new ReadTimeout(context.channel().eventLoop(), room.connections(), () -> late(context));
        patience = waiting;
        waiting.atMost(room.settings().idleMillis());
        super.channelActive(context);
    }

    private void late(ChannelHandlerContext context) {
        boolean awaitsBody = HttpPipeline.awaitsBody(context.pipeline());
        if (!refused) {
            boolean idle = silent && !awaitsBody;
            room.counts().add(idle ? ConnectionCounter.CONNECTIONS_ABORTED_IDLE : ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER);
        }
        if (refused || !awaitsBody || patience == null) {
            context.close();
            return;
        }
        refused = true;
        patience.atMost(room.settings().idleMillis());
        HttpExchanges.refuse(context.channel(), HttpExchanges.REQUEST_TIMEOUT);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (refused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (multiplexed) {
            quiet();
            super.channelRead(context, message);
            return;
        }
        boolean begun = silent && asking == 0;
        silent = securing;
        int bytes = message instanceof ByteBuf read ? read.readableBytes() : 0;
        super.channelRead(context, message);
        if (!silent && asking == 0 && patience != null && !securing) {
            // What came is not whole, and nothing is being answered.
            if (begun) {
                patience.message(room.settings());
            }
            patience.received(bytes);
        }
    }

    /** A whole request is there, which is now answered. */
    void asked() {
        asking++;
        silent = true;
        if (patience != null) {
            patience.end();
        }
    }

    /** One of those being answered waits for something to happen, or does no longer. */
    void lasts(boolean begun) {
        lasting += begun ? 1 : -1;
    }

    /** It is answered, or what came was no request. */
    void answered() {
        asking--;
        quiet();
    }

    /** TLS begins, which may take as long as a connection may be silent: it goes to and fro, over whatever distance. */
    void securing() {
        quiet();
        securing = true;
    }

    /** The connection is as new, and secure. */
    void secured() {
        securing = false;
        quiet();
    }

    /** Something was said inside of TLS, maybe with the last of what secures it. */
    void begun() {
        silent = false;
    }

    /** From now on several requests come at once, each with a time of its own; not all that comes is part of one. */
    void multiplexed() {
        multiplexed = true;
        quiet();
    }

    private void quiet() {
        if (asking == 0 && patience != null) {
            silent = true;
            patience.atMost(room.settings().idleMillis());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent && asking == lasting) {
            context.close();
            return;
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (patience != null) {
            patience.close();
        }
        super.channelInactive(context);
    }
}
