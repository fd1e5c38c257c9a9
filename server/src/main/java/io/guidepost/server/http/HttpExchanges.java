package io.guidepost.server.http;

import io.guidepost.base.RateLimitedLog;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one connection of HTTP/1.1, or the one of a stream of HTTP/2: requests are answered in their order, one
 * at a time, on threads that may wait, but for those that are answered at once. Until an answer is out nothing more is
 * read, unless it lasts: then it is seen that the client is gone.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class HttpExchanges extends SimpleChannelInboundHandler<FullHttpRequest> {
    static final int REQUEST_TIMEOUT = 408;

    private static final int BAD_REQUEST = 400;

    private static final RateLimitedLog LOG = new RateLimitedLog(System.getLogger(HttpExchanges.class.getName()));

    private final HttpContext room;
    private final ConnectionGuard arrivals;
    private final Channel connection;
    private final boolean stream;
    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();
    private @Nullable ReadTimeout patience;
    private boolean answering;
    private boolean refused;
    private RequestExecutor.@Nullable Task lasting;
    private @Nullable SslHandler tls;
    private @Nullable ChannelHandlerContext own;

    /**
     * A request that was read, and what its connection needs to know of it.
     *
     * @param at where bytes of an answer can be written past the codec; null if they must go through it
     */
    private record Asked(
            HttpRequest request, HttpVersion version, boolean stays, @Nullable ChannelHandlerContext at) {}

    /**
     * Exchanges of a connection.
     *
     * @param connection that the bytes come by
     * @param stream whether this is one stream of it
     */
    HttpExchanges(HttpContext room, ConnectionGuard arrivals, Channel connection, boolean stream) {
        this.room = room;
        this.arrivals = arrivals;
        this.connection = connection;
        this.stream = stream;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        own = context;
        tls = connection.pipeline().get(SslHandler.class);
        if (stream) {
            patience = new ReadTimeout(connection.eventLoop(), room.connections(), () -> {
                room.counts().add(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER);
                refuse(context.channel(), REQUEST_TIMEOUT);
            });
            patience.message(room.settings());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (patience != null) {
            patience.close();
        }
        if (lasting != null) {
            room.counts().add(ConnectionCounter.ABORTED_STREAMS);
            lasting.interrupt();
        }
    }

    /** Some bytes of a stream's request came, its head or a piece of its body. */
    void received(int bytes) {
        if (patience != null) {
            patience.received(bytes);
        }
    }

    /** Takes a request that was read in front of the codec. */
    void plain(Http11FastRequest plain) {
        ChannelHandlerContext context = own;
        if (context == null) {
            throw new IllegalStateException("requests are read by who stands before this in a pipeline");
        }
        begun();
        HttpRequest request = request(plain.method(), RequestTarget.normal(plain.target()), plain.headers(), plain.body());
        waiting.add(new Asked(request, HttpVersion.HTTP_1_1, true, plain.at()));
        go(context);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest full) {
        if (refused) {
            return;
        }
        begun();
        if (full.decoderResult().isFailure()) {
            refuse(context, full.decoderResult().cause());
            return;
        }
        RequestTarget target = isForOneHost(full) ? RequestTarget.of(full.method().name(), full.uri()) : null;
        if (target == null) {
            refuse(context, ConnectionCounter.REQUESTS_REFUSED_MALFORMED, BAD_REQUEST);
            return;
        }
        waiting.add(new Asked(request(full, target), full.protocolVersion(), HttpUtil.isKeepAlive(full), null));
        go(context);
    }

    private boolean stays(Asked asked) {
        return asked.stays() && (stream || !arrivals.isDraining());
    }

    private void begun() {
        arrivals.asked();
        if (patience != null) {
            patience.end();
        }
    }

    private void refuse(ChannelHandlerContext context, Throwable cause) {
        boolean line = cause instanceof TooLongHttpLineException;
        boolean tooLong = line || cause instanceof TooLongHttpHeaderException;
        ConnectionCounter counter =
                tooLong ? ConnectionCounter.REQUESTS_REFUSED_TOO_LONG : ConnectionCounter.REQUESTS_REFUSED_MALFORMED;
        refuse(context, counter, line ? 414 : tooLong ? 431 : BAD_REQUEST);
    }

    /** Refuses a request; what stands behind it is not read. */
    private void refuse(ChannelHandlerContext context, ConnectionCounter reason, int status) {
        refused = true;
        room.counts().add(reason);
        arrivals.answered();
        refuse(context.channel(), status);
    }

    /** Returns whether a request has one Host, or none where none is needed (RFC 9112 section 3.2). */
    private boolean isForOneHost(FullHttpRequest full) {
        List<String> hosts = full.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.isEmpty()) {
            return stream || full.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
        }
        // In HTTP/2 the codec makes one of :authority, which a client may repeat as Host (RFC 9113 section 8.3.1).
        return (hosts.size() == 1 || stream && hosts.stream().distinct().count() == 1) && RequestTarget.isHost(hosts.getFirst());
    }

    /** Answers what is no request, or not all of one, and closes the connection or stream. */
    static void refuse(Channel at, int status) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        HttpUtil.setContentLength(response, 0);
        HttpUtil.setKeepAlive(response, false);
        if (at instanceof Http2StreamChannel) {
            // The rest of the request is of no interest, and the answer is whole (RFC 9113 section 8.1).
            at.write(response);
            at.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR)).addListener(ChannelFutureListener.CLOSE);
        } else {
            at.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private HttpRequest request(FullHttpRequest message, RequestTarget target) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : message.headers()) {
            headers.computeIfAbsent(each.getKey().toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
                    .add(each.getValue());
        }
        if (target.authority() != null) {
            headers.put("host", List.of(target.authority()));
        }
        return request(message.method().name(), target.origin(), headers, ByteBufUtil.getBytes(message.content()));
    }

    private HttpRequest request(String method, String target, Map<String, List<String>> headers, byte[] body) {
        // A client of a Unix socket has no address.
        InetSocketAddress peer = connection.remoteAddress() instanceof InetSocketAddress address
                ? address
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new HttpRequest(
                method,
                target,
                headers,
                body,
                TrustedProxies.clientOf(peer, headers.getOrDefault("x-forwarded-for", List.of()), room.settings()
                        .trustedProxies()),
                tls != null,
                tls == null ? Optional.empty() : certificate(tls));
    }

    private static Optional<X509Certificate> certificate(SslHandler tls) {
        try {
            return Arrays.stream(tls.engine().getSession().getPeerCertificates())
                    .limit(1)
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast)
                    .findFirst();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }

    private void go(ChannelHandlerContext context) {
        while (!answering && !waiting.isEmpty() && writable(context)) {
            Asked asked = waiting.remove();
            answering = true;
            if (quick(context, asked)) {
                continue;
            }
            boolean lasts = room.answers().lasts(asked.request());
            if (!lasts && begin(context, asked)) {
                continue;
            }
            Optional<RequestExecutor.Task> started = room.work(lasts).start(() -> {
                HttpRequest request = asked.request();
                answer(context, asked, () -> room.answers().answer(request), System.nanoTime());
            });
            if (started.isEmpty()) {
                context.writeAndFlush(whole(asked, room.answers().busy(asked.request())));
                finished(context, stays(asked));
            } else if (lasts) {
                lasting = started.get();
                arrivals.lasts(true);
            }
        }
        boolean mayRead = !answering || lasting != null && waiting.isEmpty();
        boolean reads = mayRead && writable(context);
        // Most often nothing changes, and to look costs less than to set.
        if (context.channel().config().isAutoRead() != reads) {
            context.channel().config().setAutoRead(reads);
        }
    }

    /** Returns whether the receiver reads: a client that reads no answers is not read from either (backpressure). */
    private static boolean writable(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            context.flush();
        }
        return context.channel().isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        if (context.channel().isWritable()) {
            go(context);
        }
        super.channelWritabilityChanged(context);
    }

    private boolean quick(ChannelHandlerContext context, Asked asked) {
        long begun = System.nanoTime();
        HttpResponse answer = room.answers().atOnce(asked.request());
        if (answer == null || ResponseCompression.isWorth(asked.request(), answer)) {
            return false;
        }
        room.counts().add(ConnectionCounter.REQUESTS_AT_ONCE);
        send(context, asked, answer, begun);
        return true;
    }

    /** Writes an answer on the loop, which leaves at the end of the turn. */
    private void send(ChannelHandlerContext context, Asked asked, HttpResponse answer, long begun) {
        ChannelHandlerContext at = asked.at();
        if (at != null && stays(asked) && answer.body() instanceof HttpResponse.Bytes(byte[] body)) {
            at.write(Unpooled.wrappedBuffer(Http11FastResponse.write(answer, body)));
        } else {
            context.write(whole(asked, answer));
        }
        FlushCoalescer.flush(context);
        room.answers().answered(asked.request(), answer.status(), System.nanoTime() - begun);
        answered(context, stays(asked));
    }

    /** Begins what is answered later without a thread of its own; false if it needs one. */
    private boolean begin(ChannelHandlerContext context, Asked asked) {
        RequestExecutor work = room.work(false);
        if (work.isFull()) {
            return false;
        }
        work.enter();
        boolean begun = false;
        try {
            begun = room.answers().begin(asked.request(), new Later(context, asked));
        } finally {
            if (!begun) {
                work.leave();
            }
        }
        return begun;
    }

    /** A request that is under way, for which no thread waits. */
    private final class Later extends LoopReplies.Reply {
        private final ChannelHandlerContext context;
        private final Asked asked;
        private final long begun = System.nanoTime();

        Later(ChannelHandlerContext context, Asked asked) {
            super(LoopReplies.of(context.executor()));
            this.context = context;
            this.asked = asked;
        }

        @Override
        void send(Supplier<HttpResponse> made) {
            room.work(false).leave();
            HttpResponse response = response(asked.request(), made);
            if (ResponseCompression.isWorth(asked.request(), response)
                    && room.work(false).start(() -> answer(context, asked, () -> response, begun)).isPresent()) {
                return;
            }
            try {
                HttpExchanges.this.send(context, asked, response, begun);
                go(context);
            } catch (RuntimeException e) {
                // Others of the same turn are still to be sent.
                failed(asked.request(), e);
                context.close();
            }
        }
    }

    private void answer(ChannelHandlerContext context, Asked asked, Supplier<HttpResponse> made, long begun) {
        boolean stays = false;
        try {
            HttpResponse response = response(asked.request(), made);
            stays = write(context, asked, ResponseCompression.of(asked.request(), response));
            room.answers().answered(asked.request(), response.status(), System.nanoTime() - begun);
        } finally {
            boolean kept = stays;
            context.executor().execute(() -> finished(context, kept));
        }
    }

    private HttpResponse response(HttpRequest request, Supplier<HttpResponse> made) {
        try {
            return made.get();
        } catch (RuntimeException e) {
            return failed(request, e);
        }
    }

    private HttpResponse failed(HttpRequest request, RuntimeException e) {
        room.counts().add(ConnectionCounter.CONNECTION_FAULTS);
        LOG.error(request.method() + " " + request.target() + ": " + e, e);
        return room.answers().failed(request);
    }

    /** Writes an answer, and waits if its receiver is slow; whether the connection may stay. */
    private boolean write(ChannelHandlerContext context, Asked asked, HttpResponse response) {
        BackpressuredWriter sending = new BackpressuredWriter(context.channel(), room.settings(), room.counts());
        try {
            boolean head = asked.request().method().equals("HEAD");
            return switch (response.body()) {
                case HttpResponse.Stream(HttpResponse.Writing writing) when !head ->
                    stream(sending, asked, response, writing);
                case HttpResponse.Unchunked(HttpResponse.Writing writing, int heldMax) when !head ->
                    unchunked(sending, asked, response, writing, heldMax);
                default -> {
                    sending.send(whole(asked, response));
                    yield stays(asked);
                }
            };
        } catch (IOException e) {
            // The receiver is gone, and nothing is left to be said to it.
            return false;
        }
    }

    private boolean stream(
            BackpressuredWriter sending, Asked asked, HttpResponse response, HttpResponse.Writing writing) throws IOException {
        boolean stays = begin(sending, asked, response, asked.version().equals(HttpVersion.HTTP_1_1));
        try (OutputStream out = pieces(sending)) {
            writing.write(out);
        }
        sending.send(LastHttpContent.EMPTY_LAST_CONTENT);
        return stays;
    }

    private boolean unchunked(
            BackpressuredWriter sending, Asked asked, HttpResponse response, HttpResponse.Writing writing, int heldMax)
            throws IOException {
        try (BufferedBody out = new BufferedBody(heldMax, () -> {
            begin(sending, asked, response, false);
            return pieces(sending);
        })) {
            writing.write(out);
            Optional<byte[]> held = out.held();
            if (held.isPresent()) {
                HttpResponse.Bytes body = new HttpResponse.Bytes(held.get());
                sending.send(whole(asked, new HttpResponse(response.status(), response.headers(), body)));
                return stays(asked);
            }
        }
        sending.send(LastHttpContent.EMPTY_LAST_CONTENT);
        return false;
    }

    /** Sends the head of an answer of unknown length; returns whether the connection may stay behind it. */
    private boolean begin(BackpressuredWriter sending, Asked asked, HttpResponse response, boolean chunked)
            throws IOException {
        DefaultHttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
        headers(head.headers(), response);
        boolean stays = stays(asked) && chunked;
        if (chunked) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        HttpUtil.setKeepAlive(head.headers(), asked.version(), stays);
        sending.send(head);
        return stays;
    }

    private static OutputStream pieces(BackpressuredWriter sending) {
        return new BufferedOutputStream(new Pieces(sending), HttpLimits.PIECE_BYTES);
    }

    private static final class Pieces extends OutputStream {
        private final BackpressuredWriter sending;

        Pieces(BackpressuredWriter sending) {
            this.sending = sending;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            sending.send(new DefaultHttpContent(Unpooled.copiedBuffer(bytes, offset, length)));
        }
    }

    private DefaultFullHttpResponse whole(Asked asked, HttpResponse response) {
        byte[] body = response.body() instanceof HttpResponse.Bytes(byte[] bytes) ? bytes : new byte[0];
        boolean head = asked.request().method().equals("HEAD");
        DefaultFullHttpResponse out = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(response.status()),
                head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        headers(out.headers(), response);
        if (response.status() != 204 && response.status() != 304 && response.body() instanceof HttpResponse.Bytes) {
            out.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        }
        HttpUtil.setKeepAlive(out.headers(), asked.version(), stays(asked));
        return out;
    }

    private static void headers(HttpHeaders headers, HttpResponse response) {
        response.headers().forEach(each -> headers.add(each.getKey(), each.getValue()));
        headers.set(HttpHeaderNames.DATE, HttpDate.now());
    }

    private void finished(ChannelHandlerContext context, boolean stays) {
        if (lasting != null) {
            lasting = null;
            arrivals.lasts(false);
        }
        answered(context, stays);
        go(context);
    }

    private void answered(ChannelHandlerContext context, boolean stays) {
        answering = false;
        arrivals.answered();
        if (!stays && !stream) {
            waiting.clear();
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        room.counts()
                .add(cause instanceof IOException
                        ? ConnectionCounter.CONNECTIONS_ABORTED_BY_PEER
                        : ConnectionCounter.REQUESTS_REFUSED_MALFORMED);
        context.close();
    }
}
