package io.guidepost.alto.protocol;

import io.guidepost.base.Prefix;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Asks a server which candidates are nearest, by whatever protocol. */
public interface RankClient extends AutoCloseable {
    /**
     * What the server said.
     *
     * @param order the candidates, nearest first; those that the server does not know may be missing
     * @param ttlSeconds how long it may be used; 0 if the server did not say
     * @param questions how many it took
     */
    record Ranked(List<Candidate> order, int ttlSeconds, int questions) {
        /** Copies the list. */
        public Ranked {
            order = List.copyOf(order);
        }
    }

    /**
     * Ranks candidates; equally near ones keep their order.
     *
     * @param source for whom; empty is for whoever asks. Servers heed it from those that they trust
     * @throws IOException in one line for people, if there is no answer, or one that says why there is none
     */
    Ranked rank(List<Candidate> candidates, Optional<Prefix> source) throws IOException;

    @Override
    void close();
}
