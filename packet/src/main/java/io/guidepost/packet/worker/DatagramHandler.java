package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;

/** What a {@link DatagramResponder} asks about each packet; one instance belongs to one worker. */
public interface DatagramHandler {
    /** Comes before the packets of a burst. */
    default void begin(long nowMillis) {}

    /**
     * Comes before the packets of a burst of several: whoever will look for each in a large table may fetch all of it now,
     * so that the waits for memory overlap.
     */
    default void ahead(Burst in) {}

    /**
     * Takes one packet, and writes the answer, if there is one, into {@link Burst#room} of the burst that leaves and
     * {@linkplain Burst#append(int, Burst, int) appends} it. There is room for one packet; a second needs a look at
     * {@link Burst#hasRoom}. An exception drops this packet alone. What the packet's bytes say is known for this call
     * only: the next answer may be written over them.
     */
    void packet(Burst in, int index, Burst out);

    /**
     * Returns whether packets wait behind those that were answered, whose answers then leave before {@link #end} is
     * called.
     */
    default boolean holdsBack() {
        return false;
    }

    /** Comes after the packets of a burst, and in every turn without packets: answers that were deferred go out here. */
    default void end(Burst out) {}

    /** Returns how long the worker may sleep before the next turn, in nanoseconds; see {@link DutyCycle#restNanos}. */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
