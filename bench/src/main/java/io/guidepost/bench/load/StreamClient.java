package io.guidepost.bench.load;

import java.io.IOException;

/** One client that asks over a stream, one question after the other. Belongs to one thread. */
public interface StreamClient extends AutoCloseable {
    /**
     * Asks once, and waits for the answer.
     *
     * @param number of the question in the run
     * @throws IOException if the server is gone
     */
    GnrsAnswerCheck.Verdict ask(long number) throws IOException;

    @Override
    default void close() {}
}
