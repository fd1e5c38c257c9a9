package io.guidepost.server.handle;

import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.server.handle.connection.AccessListener;
import io.guidepost.server.handle.connection.ConnectionServices;
import io.guidepost.server.handle.connection.HandleListeners;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A host on loopback with services of a test's own. */
public final class TestListeners implements AutoCloseable {
    /** As servers come, but for times: a test on a machine with much to do is slow, and means nothing by it. */
    public static final HttpServerSettings PATIENT = settings(20_000, 1024, 60_000, 60_000);

    private static final AccessListener DEAF = new AccessListener() {
        @Override
        public void message(io.guidepost.handle.service.HandleRequest call, byte[] answer, long nanos) {}

        @Override
        public void page(HttpRequest request, int status, long nanos) {}

        @Override
        public void busy(HttpRequest request, int status) {}
    };

    private final HandleListeners host;

    /** The same with other times, in milliseconds. */
    public static HttpServerSettings patient(long idle, long receiver) {
        return settings(1_000_000, 1024, idle, receiver);
    }

    /** The same, whose connections are all taken when a test has so many. */
    public static HttpServerSettings pressed(int connections) {
        return bounded(connections, 1024);
    }

    /** The same with other bounds on connections and requests. */
    public static HttpServerSettings bounded(int connections, int requests) {
        return settings(connections, requests, 60_000, 60_000);
    }

    private static HttpServerSettings settings(int connections, int requests, long idle, long receiver) {
        return new HttpServerSettings(
                ConnectionTransport.EPOLL, 1, connections, requests, 1024, idle, receiver, 4 << 20, List.of());
    }

    private TestListeners(HandleListeners host) {
        this.host = host;
    }

    public static TestListeners start(HttpServerSettings settings, HandleRequestHandler messages, HttpHandler pages) throws IOException {
        return start(settings, messages, pages, null);
    }

    public static TestListeners start(
            HttpServerSettings settings, HandleRequestHandler messages, HttpHandler pages, @Nullable TlsContext tls)
            throws IOException {
        return start(settings, new ConnectionServices(messages, () -> _ -> null, pages, DEAF), tls);
    }

    /** The same with what loops answer themselves. */
    public static TestListeners start(HandleRequestHandler messages, ConnectionServices.Quick quick, HttpHandler pages) throws IOException {
        return start(PATIENT, new ConnectionServices(messages, () -> quick, pages, DEAF), null);
    }

    private static TestListeners start(HttpServerSettings settings, ConnectionServices services, @Nullable TlsContext tls)
            throws IOException {
        HandleListeners host = HandleListeners.open(settings, List.of(InetAddress.ofLiteral("127.0.0.1")), 0, 0);
        host.start(services, tls, tls);
        return new TestListeners(host);
    }

    /** Connections that are there. */
    public long connections() {
        long ended = host.counts().get(ConnectionCounter.CONNECTIONS_ENDED);
        return host.counts().get(ConnectionCounter.CONNECTIONS_ACCEPTED) - ended;
    }

    /** Answers each message with its own request id and a text. */
    public static HandleRequestHandler echo() {
        return (call, replies) -> {
            try {
                replies.message(HandleMessages.answer(call.message(), false, call.transport().name()), true);
            } catch (IOException e) {
                // The test has what it wants.
            }
        };
    }

    /** Tells what it was asked. */
    public static HttpHandler telling() {
        return request -> HttpResponse.of(
                200,
                "text/plain",
                request.method() + " " + request.target() + " " + request.body().length
                        + (request.secure() ? " secure" : "")
                        + request.certificate().map(each -> " " + each.getSubjectX500Principal()).orElse(""));
    }

    public InetSocketAddress tcp() {
        return host.tcpAddresses().getFirst();
    }

    public InetSocketAddress http() {
        return host.httpAddresses().getFirst();
    }

    public long count(ConnectionCounter count) {
        return host.counts().get(count);
    }

    public HandleListeners host() {
        return host;
    }

    @Override
    public void close() {
        host.close();
    }
}
