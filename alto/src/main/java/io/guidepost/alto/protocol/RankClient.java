package io.guidepost.alto.protocol;

import io.guidepost.base.Prefix;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A client that asks a server to rank candidates, whatever the protocol. */
public interface RankClient extends AutoCloseable {
    /**
     * The response of the server.
     *
     * @param order candidates, nearest first; those that the server does not know may be missing
     * @param ttlSeconds lifetime of the response; 0 if the server gave none
     * @param questions requests that were sent
     * @param sourceIgnored whether the server ranked for the client, as it accepts no other source from it
     */
    record Ranked(List<Candidate> order, int ttlSeconds, int questions, boolean sourceIgnored) {
        /** Copies the list. */
        public Ranked {
            order = List.copyOf(order);
        }
    }

    /**
     * Ranks candidates; equally near ones keep their order.
     *
     * @param source address to rank for; empty is the client's own. Servers accept it from trusted clients only
     * @throws IOException with a one-line message if the server does not answer, or refuses
     */
    Ranked rank(List<Candidate> candidates, Optional<Prefix> source) throws IOException;

    @Override
    void close();
}
