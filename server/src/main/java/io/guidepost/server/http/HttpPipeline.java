package io.guidepost.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpMessage;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** The handlers of a connection of HTTP/1.1, and of HTTP/2, which end in the same exchanges. */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class HttpPipeline {
    private HttpPipeline() {}

    static void http1(ChannelPipeline pipeline, HttpContext room, ConnectionGuard arrivals) {
        HttpExchanges exchanges = new HttpExchanges(room, arrivals, pipeline.channel(), false);
        pipeline.addLast(new Http11FastPath(room.settings().bodyBytesMax(), exchanges::plain));
        HttpDecoderConfig bounds = new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpLimits.REQUEST_LINE_BYTES_MAX)
                .setMaxHeaderSize(HttpLimits.HEADER_BYTES_MAX);
        // Not both in one: that pairs answers with the requests that it has read, and plain requests are read before it.
        pipeline.addLast(new Decoder(bounds), new HttpResponseEncoder());
        pipeline.addLast(new Whole(room), exchanges);
    }

    /** Returns whether the head of a request of HTTP/1.1 has come and its body has not. */
    static boolean awaitsBody(ChannelPipeline pipeline) {
        Http11FastPath plain = pipeline.get(Http11FastPath.class);
        Whole whole = pipeline.get(Whole.class);
        return plain != null && plain.awaitsBody() || whole != null && whole.begun;
    }

    /** Returns what was received of a request that is not whole; null if a part of it cannot be told any more. */
    static byte @Nullable [] rest(ChannelPipeline pipeline, boolean silent) {
        ProtocolDetector undecided = pipeline.get(ProtocolDetector.class);
        Http11FastPath plain = pipeline.get(Http11FastPath.class);
        Decoder full = pipeline.get(Decoder.class);
        if (undecided != null) {
            return undecided.rest();
        }
        if (plain != null) {
            return plain.rest();
        }
        return silent && full != null && !full.isBegun() && !awaitsBody(pipeline) ? new byte[0] : null;
    }

    private static final class Decoder extends HttpRequestDecoder {
        Decoder(HttpDecoderConfig bounds) {
            super(bounds);
        }

        boolean isBegun() {
            return internalBuffer().isReadable();
        }
    }

    static void http2(ChannelPipeline pipeline, HttpContext room, ConnectionGuard arrivals) {
        Channel connection = pipeline.channel();
        pipeline.addLast(Http2FrameCodecBuilder.forServer()
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(HttpLimits.STREAMS_MAX)
                        .maxHeaderListSize(HttpLimits.REQUEST_LINE_BYTES_MAX + HttpLimits.HEADER_BYTES_MAX))
                .build());
        pipeline.addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.config().setWriteBufferWaterMark(HttpServer.WATER_MARK);
                HttpExchanges exchanges = new HttpExchanges(room, arrivals, connection, true);
                stream.pipeline()
                        .addLast(new Http2StreamFrameToHttpObjectCodec(true))
                        .addLast(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                                exchanges.received(message instanceof HttpContent piece ? piece.content().readableBytes() : 0);
                                context.fireChannelRead(message);
                            }
                        })
                        .addLast(new Whole(room), exchanges);
            }
        }));
        pipeline.addLast(new Remaining());
        arrivals.multiplexed();
    }

    /** Puts requests together, and counts those that are too long. */
    private static final class Whole extends HttpObjectAggregator {
        private final HttpContext room;
        private boolean begun;

        Whole(HttpContext room) {
            super(room.settings().bodyBytesMax());
            this.room = room;
        }

        @Override
        protected FullHttpMessage beginAggregation(HttpMessage start, ByteBuf content) throws Exception {
            begun = true;
            return super.beginAggregation(start, content);
        }

        @Override
        protected void finishAggregation(FullHttpMessage aggregated) throws Exception {
            begun = false;
            super.finishAggregation(aggregated);
        }

        @Override
        protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) throws Exception {
            begun = false;
            room.counts().add(ConnectionCounter.REQUESTS_REFUSED_TOO_LONG);
            super.handleOversizedMessage(context, oversized);
        }
    }

    /** Takes the frames of the connection itself, which ask for nothing. */
    private static final class Remaining extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
