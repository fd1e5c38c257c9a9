package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;

/** Handles each packet of a {@link DatagramResponder}; one instance belongs to one worker. */
public interface DatagramHandler {
    /** Called before the packets of a burst. */
    default void begin(long nowMillis) {}

    /**
     * Called before the packets of a burst of several, to prefetch what their lookups need, so that cache misses
     * overlap.
     */
    default void prefetch(Burst in) {}

    /**
     * Handles one packet. A response is written into {@link Burst#room} of the outgoing burst and {@linkplain
     * Burst#append(int, Burst, int) appended}. There is room for one packet; check {@link Burst#hasRoom} before a
     * second. An exception drops this packet alone. The packet's bytes are valid during this call only: the next
     * response may overwrite them.
     */
    void packet(Burst in, int index, Burst out);

    /**
     * Returns whether packets wait in a queue behind those that were answered; finished responses are then sent before
     * {@link #end} is called.
     */
    default boolean holdsBack() {
        return false;
    }

    /** Called after the packets of a burst, and in every turn without packets: sends deferred responses. */
    default void end(Burst out) {}

    /** Returns how long the worker may sleep before the next turn, in nanoseconds; see {@link DutyCycle#restNanos}. */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
