package io.guidepost.handle.service;

import java.io.IOException;

/** The channel of responses to one request. Called by one thread, which a slow receiver blocks (backpressure). */
public interface ResponseSink {
    /**
     * Sends a whole message; called once, or several times for lists and dumps. The transport fragments it.
     *
     * @param message its bytes
     * @param last whether it is the last one
     * @throws IOException if the receiver is gone
     */
    void message(byte[] message, boolean last) throws IOException;

    /**
     * Sends bytes of a replication stream, after the messages; only over TCP.
     *
     * @throws IOException if the receiver is gone, or the transport is another
     */
    default void stream(byte[] bytes, int offset, int length) throws IOException {
        throw new IOException("a replication stream needs TCP");
    }
}
