package io.guidepost.server.http;

import io.guidepost.base.SharedCounters;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Sends from a thread that may wait, and makes it wait while the receiver is slow. */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
public record BackpressuredWriter(Channel channel, HttpServerSettings settings, SharedCounters<ConnectionCounter> counts) {
    /**
     * Sends something.
     *
     * @throws IOException if the receiver is gone, or took nothing for too long: the connection is closed then
     */
    public void send(Object message) throws IOException {
        ChannelFuture sent = channel.writeAndFlush(message);
        if (!channel.isWritable()) {
            await(sent);
        }
        if (sent.isDone() && !sent.isSuccess() || !channel.isActive()) {
            counts.add(ConnectionCounter.CONNECTIONS_ABORTED_BY_PEER);
            throw new IOException("the receiver is gone");
        }
    }

    private void await(ChannelFuture sent) throws IOException {
        try {
            if (!sent.await(settings.receiverMillis())) {
                counts.add(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_RECEIVER);
                channel.close();
                throw new IOException("the receiver took nothing for " + settings.receiverMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while it was sent");
        }
    }
}
