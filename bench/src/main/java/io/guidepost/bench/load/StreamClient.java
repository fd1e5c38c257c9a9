package io.guidepost.bench.load;

import java.io.IOException;

/** A client on a stream, with one request after the other. Belongs to one thread. */
public interface StreamClient extends AutoCloseable {
    /**
     * Sends a request, and waits for the response.
     *
     * @param number of the request in the run
     * @throws IOException if the connection is lost
     */
    GnrsAnswerCheck.Verdict ask(long number) throws IOException;

    @Override
    default void close() {}
}
