package io.guidepost.handle.client;

import java.io.IOException;

/** A transport to one server: sends a request and waits for the response. Thread-safe. */
interface HandleTransport extends AutoCloseable {
    /** Takes the messages of a response, in order. */
    @FunctionalInterface
    interface Each {
        /** Takes one; true if another follows. */
        boolean take(byte[] answer) throws IOException;
    }

    /**
     * Returns whether the server supports persistent connections, so that requests should ask for them. May probe the
     * server.
     */
    default boolean keepsConnections() throws IOException {
        return false;
    }

    /**
     * Sends a request and waits for its response.
     *
     * @param request whole, envelope included
     * @param repeatable whether it may be retransmitted when its outcome is unknown
     * @return the response, whole
     */
    byte[] ask(byte[] request, boolean repeatable) throws IOException;

    /** Sends a request whose response may have several messages. */
    void requestAll(byte[] request, Each each) throws IOException;

    /** Closes open connections. */
    @Override
    void close();
}
