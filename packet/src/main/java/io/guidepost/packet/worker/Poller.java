package io.guidepost.packet.worker;

import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import java.util.List;

/** How a worker sleeps, and how others wake it. */
interface Poller extends AutoCloseable {
    /** Sleeps until a queue that it watches is ready, someone wakes it, or the time is over; for the worker's thread. */
    void sleep(long nanos);

    /** Sleeps whatever comes; for the worker's thread. */
    void nap(long nanos);

    /** Ends a sleep, or the next one if none is on; for any thread. */
    void wake();

    @Override
    void close();

    /** Returns the waiter that suits what a worker watches. */
    static Poller of(List<RxQueue> queues) {
        List<Readiness> all = queues.stream().map(RxQueue::readiness).toList();
        boolean descriptors = all.stream().anyMatch(Readiness.Descriptor.class::isInstance);
        boolean channels = all.stream().anyMatch(Readiness.Channel.class::isInstance);
        if (descriptors && channels) {
            throw new IllegalArgumentException("one worker cannot watch ports of the back ends kernel and channel"
                    + " together; open both with the same, or use two workers");
        }
        if (descriptors) {
            return new DescriptorPoller(all);
        }
        return channels ? new SelectorPoller(all) : new ParkPoller();
    }
}
