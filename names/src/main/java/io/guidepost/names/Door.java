package io.guidepost.names;

import java.lang.foreign.MemorySegment;

/**
 * A protocol as one worker meets it: datagrams in, datagrams out, no input or output of its own. One instance belongs
 * to one worker and is called by its thread alone; the same code runs on kernel sockets, on AF_XDP and DPDK frames,
 * under a fuzzer and in the simulation.
 *
 * <p>A burst of the worker is: {@link #begin}, perhaps {@link #ahead} for each datagram, {@link #take} for each,
 * {@link #next} until it has no more, {@link #end}.
 */
public interface Door {
    /** Starts a burst: what a reader of the store must announce before it looks is announced once here. */
    void begin(long nowMillis);

    /**
     * Shows a question that {@link #take} gets later in this burst, so that what it needs is fetched: shown for all of a
     * burst, their waits for memory overlap. Decides and counts nothing; may be left out.
     *
     * @param length bytes of the question
     */
    default void ahead(MemorySegment segment, long offset, int length) {}

    /**
     * Takes one question. On return the exchange holds the answer, or an answer length of 0: the question was dropped,
     * and a counter says why, or its answer is deferred and will come out of {@link #next}.
     */
    void take(Exchange exchange);

    /**
     * Gives one answer that was deferred: sets the exchange's peer and writes into its room.
     *
     * @return false if none is ready; the exchange is then untouched
     */
    boolean next(Exchange exchange);

    /**
     * Whether questions wait behind those that were taken: answers that are ready should leave before {@link #next} is
     * asked for those of the others.
     */
    default boolean holdsBack() {
        return false;
    }

    /** Ends a burst; nothing that was found in the store may be read any more. */
    void end();

    /**
     * How long after {@link #end} the next burst must begin though nothing came, in nanoseconds: a door that waits for
     * another server says when it waits no longer.
     */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
