package io.guidepost.server.handle;

import io.guidepost.handle.service.Call;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/** What all connections share. */
final class Room {
    private static final System.Logger LOG = System.getLogger(Room.class.getName());

    private final HostSettings settings;
    private final Services services;
    private final HostCounts counts;
    private final Work work;
    private final Refusals refusals;
    private final @Nullable SslContext streams;
    private final FastThreadLocal<Services.Quick> quick = new FastThreadLocal<>() {
        @Override
        protected Services.Quick initialValue() {
            return services.quick().get();
        }
    };

    Room(
            HostSettings settings,
            Services services,
            HostCounts counts,
            Work work,
            Refusals refusals,
            @Nullable SslContext streams) {
        this.settings = settings;
        this.services = services;
        this.counts = counts;
        this.work = work;
        this.refusals = refusals;
        this.streams = streams;
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

    /** TLS with the server's own key, in which streams of replication go; null if there is none. */
    @Nullable SslContext streams() {
        return streams;
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
