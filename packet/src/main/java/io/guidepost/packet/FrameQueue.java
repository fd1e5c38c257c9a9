package io.guidepost.packet;

/** The common part of the queues of ports of frames: bursts over packet memory, and statistics. */
public abstract class FrameQueue {
    /** The queue's view of the packet memory. */
    protected final PacketMemory memory;

    /** Frames in a burst at most. */
    protected final int burstMax;

    /** Counts what the queue does. */
    protected final QueueStatistics statistics;

    /** Creates a queue's part for a view of packet memory. */
    protected FrameQueue(PacketMemory memory, int burstMax, QueueStatistics statistics) {
        this.memory = memory;
        this.burstMax = burstMax;
        this.statistics = statistics;
    }

    /** Creates a burst for this queue. */
    public Burst burst() {
        return Burst.ofFrames(memory, burstMax, 0);
    }

    /** Frees the packet memory that the queue holds; after its port was closed and its thread has ended. */
    public void release() {
        memory.release();
    }

    /** Returns the queue's counts. */
    public final QueueStatistics statistics() {
        return statistics;
    }
}
