package io.guidepost.server.handle;

import io.guidepost.handle.service.MessageService;
import io.guidepost.server.web.HostCount;
import io.guidepost.server.web.HostSettings;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.HttpService;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A host on loopback with services of a test's own. */
final class TestHost implements AutoCloseable {
    /** As servers come, but for times: a test on a machine with much to do is slow, and means nothing by it. */
    static final HostSettings PATIENT = HostSettings.STANDARD.withTimes(60_000, 10_000, 60_000);

    private static final Accesses DEAF = new Accesses() {
        @Override
        public void message(io.guidepost.handle.service.Call call, byte[] answer, long nanos) {}

        @Override
        public void page(HttpRequest request, int status, long nanos) {}
    };

    private final HandleHost host;

    private TestHost(HandleHost host) {
        this.host = host;
    }

    static TestHost start(HostSettings settings, MessageService messages, HttpService pages) throws IOException {
        return start(settings, messages, pages, null);
    }

    static TestHost start(
            HostSettings settings, MessageService messages, HttpService pages, @Nullable SslContext tls)
            throws IOException {
        HandleHost host = HandleHost.open(settings, List.of(InetAddress.ofLiteral("127.0.0.1")), 0, 0);
        host.start(new Services(messages, () -> Services.Quick.NONE, pages, DEAF), tls, tls);
        return new TestHost(host);
    }

    /** Answers each message with its own request id and a text. */
    static MessageService echo() {
        return (call, replies) -> {
            try {
                replies.message(Ask.answer(call.message(), false, call.transport().name()), true);
            } catch (IOException e) {
                // The test has what it wants.
            }
        };
    }

    /** Tells what it was asked. */
    static HttpService telling() {
        return request -> HttpResponse.of(
                200,
                "text/plain",
                request.method() + " " + request.target() + " " + request.body().length
                        + (request.secure() ? " secure" : "")
                        + request.certificate().map(each -> " " + each.getSubjectX500Principal()).orElse(""));
    }

    InetSocketAddress tcp() {
        return host.tcpAddresses().getFirst();
    }

    InetSocketAddress http() {
        return host.httpAddresses().getFirst();
    }

    long count(HostCount count) {
        return host.counts().get(count);
    }

    HandleHost host() {
        return host;
    }

    @Override
    public void close() {
        host.close();
    }
}
