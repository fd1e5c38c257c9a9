package io.guidepost.packet.worker;

import io.guidepost.packet.Readiness;
import java.util.List;

/** How a worker sleeps and is woken. */
interface Poller extends AutoCloseable {
    /** Sleeps until a watched queue is ready, {@link #wake} is called, or the time is over; on the worker's thread. */
    void sleep(long nanos);

    /** Sleeps regardless of arrivals (interrupt coalescing); on the worker's thread. */
    void coalesce(long nanos);

    /** Ends the current sleep, or the next one; for any thread. */
    void wake();

    @Override
    void close();

    /** Returns the poller for a worker's queues. */
    static Poller of(List<Readiness> all) {
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
