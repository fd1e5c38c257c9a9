package io.guidepost.packet;

/** A transmit queue. It and its bursts belong to one thread at a time; its statistics are for any thread. */
public interface TxQueue {
    /** Creates an empty burst in this queue's memory. Created once at start: its memory is never freed. */
    Burst burst();

    /**
     * Sends the burst's packets in order, without waiting. Packets that the port cannot take now (backpressure) stay in
     * the burst, moved to its front; those that can never be sent are dropped and counted with the reason.
     *
     * @param burst one of this queue's own
     * @return number of packets that stayed: send again later, or {@link #drop} them
     */
    int send(Burst burst);

    /** Drops the burst's packets and counts them as {@link Drop#NO_ROOM}. */
    default void drop(Burst burst) {
        statistics().drop(Drop.NO_ROOM, burst.count());
        burst.clear();
    }

    /** Returns the counters, for any thread. */
    QueueStatistics statistics();
}
