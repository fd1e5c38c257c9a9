package io.guidepost.server.http;

import io.guidepost.server.http.tls.TlsContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out by the first bytes of a connection what is spoken on it, and then stands aside: a record of TLS, the preface
 * of HTTP/2 (RFC 9113 section 3.4), or HTTP/1.1.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class ProtocolDetector extends ByteToMessageDecoder {
    private static final byte TLS_HANDSHAKE = 0x16;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int RECORD_LENGTH = 3;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final HttpContext room;
    private final ConnectionGuard arrivals;
    private final @Nullable TlsContext tls;

    ProtocolDetector(HttpContext room, ConnectionGuard arrivals, @Nullable TlsContext tls) {
        this.room = room;
        this.arrivals = arrivals;
        this.tls = tls;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int from = in.readerIndex();
        ChannelPipeline pipeline = context.pipeline();
        if (in.getByte(from) == TLS_HANDSHAKE) {
            if (tls == null) {
                room.counts().add(ConnectionCounter.CONNECTIONS_ABORTED_TLS);
                context.close();
                return;
            }
            if (in.readableBytes() < RECORD_HEADER_BYTES
                    || in.readableBytes() < RECORD_HEADER_BYTES + in.getUnsignedShort(from + RECORD_LENGTH)) {
                // What TLS keeps of a connection is many times a greeting, so that has to come first.
                return;
            }
            arrivals.securing();
            SslHandler handler = tls.handler(room.work().threads());
            handler.setHandshakeTimeoutMillis(room.settings().idleMillis());
            pipeline.addLast(handler, new Negotiated());
            pipeline.remove(this);
            return;
        }
        int common = 0;
        while (common < Math.min(in.readableBytes(), PREFACE.length) && in.getByte(from + common) == PREFACE[common]) {
            common++;
        }
        if (common == PREFACE.length) {
            HttpPipeline.http2(pipeline, room, arrivals);
            pipeline.remove(this);
        } else if (common < in.readableBytes()) {
            HttpPipeline.http1(pipeline, room, arrivals);
            pipeline.remove(this);
        }
    }

    /** Returns what was received, which says too little yet. */
    byte[] rest() {
        return ByteBufUtil.getBytes(internalBuffer());
    }

    /** Tells that something was said, once. */
    private static final class First extends ChannelInboundHandlerAdapter {
        private final ConnectionGuard arrivals;

        First(ConnectionGuard arrivals) {
            this.arrivals = arrivals;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            arrivals.begun();
            context.pipeline().remove(this);
            context.fireChannelRead(message);
        }
    }

    /** Goes on with what both sides of TLS chose. */
    private final class Negotiated extends ApplicationProtocolNegotiationHandler {
        Negotiated() {
            super(ApplicationProtocolNames.HTTP_1_1);
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            arrivals.secured();
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                HttpPipeline.http2(context.pipeline(), room, arrivals);
            } else {
                context.pipeline().addLast(new First(arrivals));
                HttpPipeline.http1(context.pipeline(), room, arrivals);
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            room.counts().add(ConnectionCounter.CONNECTIONS_ABORTED_TLS);
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
