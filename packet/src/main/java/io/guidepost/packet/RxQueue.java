package io.guidepost.packet;

/** A queue of arriving packets. It and its bursts belong to one thread at a time; its statistics to any. */
public interface RxQueue {
    /** Makes a burst over this queue's memory. One is enough: what is received into a second replaces the first's bytes. */
    Burst burst();

    /**
     * Receives what is there, without waiting, and replaces what the burst held: those packets are gone after this.
     *
     * @param burst one of this queue's own
     * @return packets that are in the burst now, 0 if none had come
     */
    int receive(Burst burst);

    /** Returns what it counted, for any thread. */
    QueueStatistics statistics();

    /**
     * Returns whether nothing will ever come any more, as at the end of a file; a device has no end. {@link
     * Port#failure} tells whether it is the end that was meant.
     */
    default boolean isExhausted() {
        return false;
    }

    /** Returns how a worker that sleeps learns of an arrival. */
    Readiness readiness();
}
