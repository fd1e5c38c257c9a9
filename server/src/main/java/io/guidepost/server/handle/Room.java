package io.guidepost.server.handle;

import io.guidepost.handle.service.Call;
import io.guidepost.server.web.Host;
import io.guidepost.server.web.HostCount;
import io.guidepost.server.web.HostCounts;
import io.guidepost.server.web.HostSettings;
import io.guidepost.server.web.Work;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/** What all connections of the door share, whatever messages come by. */
final class Room {
    private static final System.Logger LOG = System.getLogger(Room.class.getName());

    private final Host host;
    private final Services services;
    private final Refusals refusals;
    private final @Nullable SslContext streams;
    private final FastThreadLocal<Services.Quick> quick = new FastThreadLocal<>() {
        @Override
        protected Services.Quick initialValue() {
            return services.quick().get();
        }
    };

    Room(Host host, Services services, Refusals refusals, @Nullable SslContext streams) {
        this.host = host;
        this.services = services;
        this.refusals = refusals;
        this.streams = streams;
    }

    HostSettings settings() {
        return host.settings();
    }

    Services services() {
        return services;
    }

    HostCounts counts() {
        return host.counts();
    }

    Work work() {
        return host.work();
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
            counts().add(HostCount.FAULTS);
            LOG.log(System.Logger.Level.ERROR, "a message from " + call.peer() + " was not answered: " + e, e);
            replies.failed(refusals.failed(call.message()));
        }
    }
}
