package io.guidepost.server.handle.connection;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.replication.ReplicationServer;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.LoopChanges;
import io.guidepost.server.http.BackpressuredWriter;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.FlushCoalescer;
import io.guidepost.server.http.MessageConnection;
import io.guidepost.server.http.tls.TlsContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A connection that messages come by, one behind the other: an envelope, and as many bytes as it says.
 *
 * <p>Messages are answered in their order: those that need no wait and creations here, the others on a thread of their own, and until
 * such an answer is out nothing more is read. Several creations may be under way at a time; one that depends on an earlier one waits for
 * it, and so does any other message. The connection is closed behind an answer, as existing clients read to its end, unless its request
 * asked to keep it. A stream of replication follows its message in TLS, behind
 * four bytes that say so. A silent connection holds no buffer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
final class NativeProtocolConnection extends MessageConnection {
    private final HandleConnectionContext room;

    /** Requests under way, the oldest first: of creations several, of others one. */
    private final ArrayDeque<Answering> underWay = new ArrayDeque<>();

    /** A message that waits until nothing is under way. */
    private byte @Nullable [] held;

    /** How many of those under way wait for all that are older. */
    private int waiting;

    /** Whether what is under way is answered by a thread. */
    private boolean answering;

    /** Whether the last request under way ends the connection. */
    private boolean closing;

    private boolean going;
    private boolean streaming;

    NativeProtocolConnection(HandleConnectionContext room) {
        super(room.host());
        this.room = room;
    }

    @Override
    public boolean mayPark() {
        return !streaming && super.mayPark();
    }

    @Override
    protected boolean isBusy() {
        return !underWay.isEmpty() || held != null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (streaming) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (!ended && isFull()) {
            context.channel().config().setAutoRead(false);
        }
        super.channelRead(context, message);
    }

    /** Returns whether no further message may begin for now. */
    private boolean isFull() {
        return answering || closing || waiting > 0 || held != null || underWay.size() >= HandleLimits.CREATIONS_UNDER_WAY_MAX;
    }

    /** Sends what is answered, and answers the messages that are whole, until one of them has to wait. */
    @Override
    protected void go(ChannelHandlerContext context) {
        if (going) {
            return;
        }
        going = true;
        try {
            while (!ended && (settle(context) || proceed(context))) {
                // One thing after the other.
            }
        } finally {
            going = false;
        }
    }

    /** Sends the answer of the oldest request, or tries that again if it waited to be the oldest; false if there is neither. */
    private boolean settle(ChannelHandlerContext context) {
        Answering first = underWay.peek();
        if (first == null || answering) {
            return false;
        }
        Runnable again = first.again;
        if (again != null) {
            first.again = null;
            waiting--;
            again.run();
            return true;
        }
        if (first.reply == null) {
            return false;
        }
        underWay.remove();
        context.write(Unpooled.wrappedBuffer(first.reply));
        FlushCoalescer.flush(context);
        if (!first.stays || draining && underWay.isEmpty()) {
            end(context);
        } else if (underWay.isEmpty()) {
            awaitMore(context);
        }
        return true;
    }

    /** Answers the next message if it is there and may begin; returns whether it was. */
    private boolean proceed(ChannelHandlerContext context) {
        if (answering || closing || waiting > 0 || underWay.size() >= HandleLimits.CREATIONS_UNDER_WAY_MAX) {
            return false;
        }
        byte[] message = held == null ? read(context) : held;
        held = null;
        if (message == null) {
            return false;
        }
        if (!underWay.isEmpty() && !room.quick().begins(message)) {
            held = message;
            return false;
        }
        answer(context, message);
        return true;
    }

    private byte @Nullable [] read(ChannelHandlerContext context) {
        if (rest != null) {
            if (!isTaking(context)) {
                return null;
            }
            ByteBuf from = rest;
            byte[] message = next(context, from);
            if (message != null) {
                if (!from.isReadable()) {
                    release();
                }
                if (underWay.isEmpty()) {
                    awaitMore(context);
                }
                return message;
            }
        }
        if (!ended && inputEnded && underWay.isEmpty()) {
            cutOff(context);
        } else if (!ended && !inputEnded && !context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(true);
        }
        return null;
    }

    private byte @Nullable [] next(ChannelHandlerContext context, ByteBuf from) {
        int there = from.readableBytes();
        if (there < HandleEnvelope.BYTES) {
            return null;
        }
        int length = from.getInt(from.readerIndex() + EnvelopeFraming.LENGTH);
        if (length < 0 || length > HandleLimits.MESSAGE_BYTES_MAX) {
            if (!underWay.isEmpty()) {
                return null;
            }
            room.counts().add(ConnectionCounter.REQUESTS_REFUSED_TOO_LONG);
            refuse(context, "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, not "
                    + Integer.toUnsignedString(length));
            return null;
        }
        if (there < HandleEnvelope.BYTES + length) {
            return null;
        }
        byte[] message = new byte[HandleEnvelope.BYTES + length];
        from.readBytes(message);
        return message;
    }

    /** Says that what came is no message, and closes. */
    private void refuse(ChannelHandlerContext context, String reason) {
        byte[] received = new byte[0];
        if (rest != null) {
            received = new byte[Math.min(rest.readableBytes(), HandleEnvelope.BYTES)];
            rest.getBytes(rest.readerIndex(), received);
        }
        byte[] answer = room.refusals().unreadable(received, new Malformed(reason, EnvelopeFraming.LENGTH));
        room.services().accesses().message(call(context, received), answer, 0);
        context.write(Unpooled.wrappedBuffer(answer));
        end(context);
    }

    private HandleRequest call(ChannelHandlerContext context, byte[] message) {
        return new HandleRequest(
                message, HandleRequest.Transport.TCP, (InetSocketAddress) context.channel().remoteAddress(), true);
    }

    private void answer(ChannelHandlerContext context, byte[] message) {
        long begun = System.nanoTime();
        boolean stays = EnvelopeFraming.staysOpen(message) && !draining;
        byte[] quick = room.quick().answer(message);
        if (quick != null) {
            room.counts().add(ConnectionCounter.REQUESTS_AT_ONCE);
            context.write(Unpooled.wrappedBuffer(quick));
            FlushCoalescer.flush(context);
            room.services().accesses().message(call(context, message), quick, System.nanoTime() - begun);
            if (!stays) {
                end(context);
            }
            return;
        }
        HandleRequest call = call(context, message);
        readTimeout(context).end();
        Answering replies = new Answering(context, call, stays);
        underWay.add(replies);
        closing = !stays;
        if (room.quick().begins(message)) {
            room.counts().add(ConnectionCounter.REQUESTS_AT_ONCE);
            room.quick().begin(call, replies, context.executor());
        } else {
            replies.handOver(() -> room.services().messages().answer(call, replies));
        }
    }

    /** Goes over to TLS behind what was written, in which a stream of replication follows. */
    private void secure(ChannelHandlerContext context, TlsContext tls) {
        streaming = true;
        release();
        context.write(Unpooled.wrappedBuffer(ReplicationServer.tlsMark()));
        context.flush();
        SslHandler handler = tls.handler(room.work().threads());
        handler.setHandshakeTimeoutMillis(room.settings().idleMillis());
        context.pipeline().addFirst(handler);
        context.channel().config().setAutoRead(true);
    }

    /** Where an answer goes: from this thread, or from one that may wait. */
    private final class Answering extends ReplyGuard implements LoopChanges.Replies {
        private final ChannelHandlerContext context;
        private final HandleRequest call;
        private final boolean stays;
        private final long startNanos = System.nanoTime();

        /** The answer, once it is there and made on the loop. */
        private byte @Nullable [] reply;

        private @Nullable Handle creates;
        private @Nullable Runnable again;
        private boolean handedOver;
        private boolean whole;
        private boolean streamed;

        Answering(ChannelHandlerContext context, HandleRequest call, boolean stays) {
            this.context = context;
            this.call = call;
            this.stays = stays;
        }

        @Override
        public void creates(Handle handle) {
            creates = handle;
        }

        @Override
        public boolean isUnsettled(Handle handle) {
            for (Answering each : underWay) {
                if (each == this) {
                    return false;
                }
                if (each.creates != null && each.creates.equalsFolded(handle)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean afterEarlier(Runnable retry) {
            if (underWay.peek() == this) {
                return false;
            }
            again = retry;
            waiting++;
            return true;
        }

        @Override
        public void handOver(Runnable work) {
            handedOver = true;
            answering = true;
            context.channel().config().setAutoRead(false);
            if (room.work().start(() -> await(work)).isEmpty()) {
                byte[] busy = room.refusals().busy(call.message());
                room.services().accesses().message(call, busy, System.nanoTime() - startNanos);
                answering = false;
                reply = busy;
                go(context);
            }
        }

        private void await(Runnable work) {
            boolean well = false;
            try {
                room.run(call, this, work);
                well = true;
            } finally {
                boolean stillStays = well && stays && whole && !streamed;
                context.executor().execute(() -> finished(context, stillStays));
            }
        }

        @Override
        void send(byte[] message, boolean last) throws IOException {
            whole |= last;
            if (handedOver) {
                sending().send(Unpooled.wrappedBuffer(message));
            } else {
                reply = message;
                go(context);
            }
        }

        private BackpressuredWriter sending() {
            return new BackpressuredWriter(context.channel(), room.settings(), room.counts());
        }

        @Override
        public void stream(byte[] bytes, int offset, int length) throws IOException {
            if (!streamed) {
                streamed = true;
                TlsContext tls = room.streams();
                if (tls == null) {
                    throw new IOException("streams of replication go over TLS, for which there is no key");
                }
                context.executor().execute(() -> secure(context, tls));
            }
            sending().send(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, offset, offset + length)));
        }
    }

    /** What a thread answered, the oldest request under way, is out. */
    private void finished(ChannelHandlerContext context, boolean stays) {
        answering = false;
        underWay.poll();
        if (!stays || draining && underWay.isEmpty()) {
            end(context);
            return;
        }
        if (underWay.isEmpty()) {
            awaitMore(context);
        }
        go(context);
    }

    /** Nothing more will come: what was whole is answered, and what is not never will be. */
    private void cutOff(ChannelHandlerContext context) {
        if (rest == null) {
            end(context);
        } else {
            room.counts().add(ConnectionCounter.REQUESTS_REFUSED_MALFORMED);
            refuse(context, "the connection ended within a message");
        }
    }
}
