package io.guidepost.handle.client;

import java.io.IOException;

/** Carries messages to one server and back, by one transport. Thread-safe; calls wait. */
interface HandleTransport extends AutoCloseable {
    /** Takes the messages of an answer, in order. */
    @FunctionalInterface
    interface Each {
        /** Takes one; true if another follows. */
        boolean take(byte[] answer) throws IOException;
    }

    /** Whether the server keeps connections, so that requests are to ask for that. May ask it. */
    default boolean keepsConnections() throws IOException {
        return false;
    }

    /**
     * Carries a request and waits for its answer.
     *
     * @param request whole, envelope included
     * @param repeatable whether it may be sent again if nobody knows what became of it
     * @return the answer, whole
     */
    byte[] ask(byte[] request, boolean repeatable) throws IOException;

    /** Carries a request whose answer may have several messages. */
    void askForAll(byte[] request, Each each) throws IOException;

    /** Ends what is kept open. */
    @Override
    void close();
}
