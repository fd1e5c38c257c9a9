package io.guidepost.server.handle;

import io.guidepost.handle.service.Call;
import io.netty.util.concurrent.FastThreadLocal;

/** What all connections share. */
final class Room {
    private static final System.Logger LOG = System.getLogger(Room.class.getName());

    private final HostSettings settings;
    private final Services services;
    private final HostCounts counts;
    private final Work work;
    private final Refusals refusals;
    private final FastThreadLocal<Services.Quick> quick = new FastThreadLocal<>() {
        @Override
        protected Services.Quick initialValue() {
            return services.quick().get();
        }
    };

    Room(HostSettings settings, Services services, HostCounts counts, Work work, Refusals refusals) {
        this.settings = settings;
        this.services = services;
        this.counts = counts;
        this.work = work;
        this.refusals = refusals;
    }

    HostSettings settings() {
        return settings;
    }

    Services services() {
        return services;
    }

    HostCounts counts() {
        return counts;
    }

    Work work() {
        return work;
    }

    Refusals refusals() {
        return refusals;
    }

    /** What answers at once on this thread, which is one that reads. */
    Services.Quick quick() {
        return quick.get();
    }

    /** Has a message answered; for threads that may wait. */
    void answer(Call call, Collecting replies) {
        try {
            services.messages().answer(call, replies);
        } catch (RuntimeException e) {
            counts.add(HostCount.FAULTS);
            LOG.log(System.Logger.Level.ERROR, "a message from " + call.peer() + " was not answered: " + e, e);
            replies.failed(refusals.failed(call.message()));
        }
    }
}
