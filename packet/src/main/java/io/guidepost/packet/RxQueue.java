package io.guidepost.packet;

/** A queue of arriving packets. It and its bursts belong to one thread at a time; its statistics to any. */
public interface RxQueue {
    /** Makes a burst in this queue's memory. Made once, at the start: memory is held as long as the process lives. */
    Burst burst();

    /**
     * Receives what is there, without waiting, and replaces what the burst held: those packets are gone after this.
     *
     * @param burst one of this queue's own
     * @return packets that are in the burst now, 0 if none had come
     */
    int receive(Burst burst);

    /** What it counted, for any thread. */
    QueueStatistics statistics();

    /** How a worker that sleeps learns of an arrival. */
    Readiness readiness();
}
