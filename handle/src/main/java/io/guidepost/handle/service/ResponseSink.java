package io.guidepost.handle.service;

import java.io.IOException;

/** Where the answer to one message goes. Called by one thread, which it may keep waiting while a receiver is slow. */
public interface ResponseSink {
    /**
     * Sends a whole message; called once, or for lists and dumps several times. Splitting it over packets is the
     * transport's work.
     *
     * @param message envelope and all that follows
     * @param last whether nothing follows
     * @throws IOException if the receiver is gone
     */
    void message(byte[] message, boolean last) throws IOException;

    /**
     * Sends bytes of a stream of replication, behind the messages; only over TCP.
     *
     * @throws IOException if the receiver is gone, or the transport is another
     */
    default void stream(byte[] bytes, int offset, int length) throws IOException {
        throw new IOException("a stream of replication goes over TCP only");
    }
}
