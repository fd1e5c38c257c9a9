package io.guidepost.packet.ip;

import io.guidepost.packet.Burst;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import org.jspecify.annotations.Nullable;

/**
 * Receives the datagrams of a UDP port that is not the first of its host. {@link HostRx} takes them out of the frames, and they
 * are here until this queue is asked for them, in the same turn of the same thread or the next.
 */
final class UdpRx implements RxQueue {
    final int udpPort;
    private final RxQueue frames;
    final Burst coming;
    private final QueueStatistics statistics = new QueueStatistics();
    private volatile @Nullable Runnable wake;

    UdpRx(int udpPort, RxQueue frames) {
        this.udpPort = udpPort;
        this.frames = frames;
        this.coming = frames.burst();
    }

    boolean isWaiting() {
        return coming.count() > 0;
    }

    /** Keeps the worker from sleeping over datagrams that it has asked for in vain in this turn. */
    void announce() {
        Runnable worker = wake;
        if (worker != null && isWaiting()) {
            worker.run();
        }
    }

    @Override
    public Burst burst() {
        return frames.burst();
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        if (!isWaiting()) {
            return 0;
        }
        statistics.call();
        long bytes = 0;
        for (int i = 0; i < coming.count() && burst.take(coming, i); i++) {
            // A frame is moved without what is of datagrams alone; the row that it left still has that.
            burst.datagram(
                    i,
                    coming.offset(i),
                    coming.length(i),
                    coming.peerHigh(i),
                    coming.peerLow(i),
                    coming.peerPort(i),
                    coming.localHigh(i),
                    coming.localLow(i));
            bytes += coming.length(i);
        }
        coming.clear();
        statistics.burst(burst.count(), bytes);
        return burst.count();
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Notice(worker -> wake = worker);
    }
}
