package io.guidepost.bench;

import java.io.IOException;

/** One client that asks over a stream, one question after the other. Belongs to one thread. */
interface HandleTalk extends AutoCloseable {
    /**
     * Asks once, and waits for the answer.
     *
     * @param number of the question in the run
     * @throws IOException if the server is gone
     */
    Answers.Verdict ask(long number) throws IOException;

    @Override
    default void close() {}
}
