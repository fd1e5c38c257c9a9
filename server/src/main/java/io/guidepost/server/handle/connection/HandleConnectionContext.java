package io.guidepost.server.handle.connection;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestExecutor;
import io.guidepost.server.http.tls.TlsContext;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/** What all connections of the door share, whatever messages come by. */
final class HandleConnectionContext {
    private static final System.Logger LOG = System.getLogger(HandleConnectionContext.class.getName());

    private final HttpServer host;
    private final ConnectionServices services;
    private final ErrorReplies refusals;
    private final @Nullable TlsContext streams;
    private final FastThreadLocal<ConnectionServices.Quick> quick = new FastThreadLocal<>() {
        @Override
        protected ConnectionServices.Quick initialValue() {
            return services.quick().get();
        }
    };

    HandleConnectionContext(HttpServer host, ConnectionServices services, ErrorReplies refusals, @Nullable TlsContext streams) {
        this.host = host;
        this.services = services;
        this.refusals = refusals;
        this.streams = streams;
    }

    HttpServerSettings settings() {
        return host.settings();
    }

    HttpServer host() {
        return host;
    }

    ConnectionServices services() {
        return services;
    }

    SharedCounters<ConnectionCounter> counts() {
        return host.counts();
    }

    RequestExecutor work() {
        return host.work();
    }

    ErrorReplies refusals() {
        return refusals;
    }

    /** TLS with the server's own key, in which streams of replication go; null if there is none. */
    @Nullable TlsContext streams() {
        return streams;
    }

    /** What answers at once on this thread, which is one that reads. */
    ConnectionServices.Quick quick() {
        return quick.get();
    }

    /** Has a message answered; for threads that may wait. */
    void answer(HandleRequest call, ReplyGuard replies) {
        run(call, replies, () -> services.messages().answer(call, replies));
    }

    /** Runs what answers a message, which is answered even if that fails. */
    void run(HandleRequest call, ReplyGuard replies, Runnable answering) {
        try {
            answering.run();
        } catch (RuntimeException e) {
            counts().add(ConnectionCounter.CONNECTION_FAULTS);
            LOG.log(System.Logger.Level.ERROR, "a message from " + call.peer() + " was not answered: " + e, e);
            replies.failed(refusals.failed(call.message()));
        }
    }
}
