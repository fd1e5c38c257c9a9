package io.guidepost.packet;

/** A queue of leaving packets. It and its bursts belong to one thread at a time; its statistics to any. */
public interface TxQueue {
    /** Makes an empty burst in this queue's memory. Made once, at the start: memory is held as long as the process. */
    Burst burst();

    /**
     * Sends the burst's packets in order, without waiting. Those that the port has no place for now stay in the burst,
     * moved to its front; those that can never leave are dropped and counted with the reason.
     *
     * @param burst one of this queue's own
     * @return packets that stayed: send again later, or {@link #drop} them
     */
    int send(Burst burst);

    /** Gives up what is in the burst and counts it as dropped for lack of {@link Drop#NO_ROOM room}. */
    default void drop(Burst burst) {
        statistics().drop(Drop.NO_ROOM, burst.count());
        burst.clear();
    }

    /** Returns what it counted, for any thread. */
    QueueStatistics statistics();
}
