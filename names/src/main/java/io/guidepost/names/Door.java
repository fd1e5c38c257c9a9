package io.guidepost.names;

import io.guidepost.base.DatagramClassifier;
import java.lang.foreign.MemorySegment;

/**
 * A protocol as one worker runs it: datagrams in, datagrams out, no I/O of its own. One instance belongs to one worker,
 * whose thread alone calls it. The same code runs on kernel sockets, on AF_XDP and DPDK frames, under a fuzzer and in
 * the simulation.
 *
 * <p>A worker's burst is: {@link #begin}, optionally {@link #prefetch} for each datagram, {@link #take} for each, {@link
 * #next} until it returns false, {@link #end}.
 */
public interface Door {
    /** Starts a burst and enters the store's read epoch once for all its lookups. */
    void begin(long nowMillis);

    /**
     * Prefetches what {@link #take} will need for a request later in this burst. Prefetching a whole burst overlaps its
     * cache misses. Decides and counts nothing; optional.
     *
     * @param length bytes of the request
     */
    default void prefetch(MemorySegment segment, long offset, int length) {}

    /**
     * Handles one request. On return the exchange holds the response, or a response length of 0: the request was
     * dropped and counted, or its response is deferred to {@link #next}.
     */
    void take(Exchange exchange);

    /**
     * Writes one deferred response: sets the exchange's peer and fills its room.
     *
     * @return false if none is ready; the exchange is then untouched
     */
    boolean next(Exchange exchange);

    /** Ends a burst and leaves the read epoch: records that were found may no longer be read. */
    void end();

    /** Returns what admission control asks about datagrams for this door, when they are more than it can answer. */
    default DatagramClassifier classifier() {
        return DatagramClassifier.NONE;
    }

    /**
     * Returns the nanoseconds after {@link #end} when the next burst must begin even if nothing arrives. A door that
     * waits for a peer server returns the time to its next timeout.
     */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
