package io.guidepost.packet;

/** A receive queue. It and its bursts belong to one thread at a time; its statistics are for any thread. */
public interface RxQueue {
    /** Creates a burst over this queue's memory. One suffices: receiving into a second overwrites the first's bytes. */
    Burst burst();

    /**
     * Receives the available packets without waiting, and replaces the burst's content.
     *
     * @param burst one of this queue's own
     * @return number of packets in the burst, 0 if none had arrived
     */
    int receive(Burst burst);

    /** Returns the counters, for any thread. */
    QueueStatistics statistics();

    /**
     * Returns whether no packet can ever arrive again, as at the end of a file. {@link Port#failure} tells whether the
     * end was regular.
     */
    default boolean isExhausted() {
        return false;
    }

    /** Returns how a sleeping worker learns of an arrival. */
    Readiness readiness();
}
