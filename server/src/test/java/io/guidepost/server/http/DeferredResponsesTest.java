package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.handle.PinnedTrust;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.http.tls.GeneratedCertificate;
import io.guidepost.web.DeferredReply;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Responses that follow when something is done elsewhere, for which no thread waits. */
@Timeout(60)
class DeferredResponsesTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final int LONG = 50_000;

    @TempDir
    private Path folder;

    private final Later answers = new Later();
    private HttpServer host;
    private InetSocketAddress address;

    private record Begun(HttpRequest request, DeferredReply reply) {
        /** Has it answered with its target, or as that says. */
        Runnable ready() {
            reply.ready(() -> switch (request.path()) {
                case "/later/fault" -> throw new IllegalStateException("as the test wants");
                case "/later/long" -> HttpResponse.of(200, "text/plain", "x".repeat(LONG));
                case "/later/two-lines" -> HttpResponse.empty(200).with("X", "one\r\ntwo");
                default -> HttpResponse.of(200, "text/plain", request.target() + ";");
            });
            return reply.wake();
        }
    }

    /** Defers what is below /later, until the test has it answered; answers the rest on a thread. */
    private static final class Later implements BareResponses {
        final BlockingQueue<Begun> begun = new LinkedBlockingQueue<>();

        @Override
        public boolean begin(HttpRequest request, DeferredReply reply) {
            return request.path().startsWith("/later") && begun.add(new Begun(request, reply));
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return HttpResponse.of(200, "text/plain", request.target() + ";");
        }
    }

    @BeforeEach
    void open() throws IOException {
        host = new HttpServer(
                new HttpServerSettings(ConnectionTransport.EPOLL, 1, 100, 2, 1, 60_000, 60_000, 1000, List.of()), "test");
        address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
        host.start(answers, null);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private Socket ask(String... paths) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        StringBuilder all = new StringBuilder();
        for (String each : paths) {
            all.append("GET ").append(each).append(" HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
        }
        socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String until(Socket socket, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return text + " (ended)";
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void severalThatAreReadyNeedOneWakeUp() throws Exception {
        try (Socket first = ask("/later/1");
                Socket second = ask("/later/2")) {
            Begun one = answers.begun.take();
            Begun other = answers.begun.take();
            assertThat(host.inFlight()).isEqualTo(2);
            Runnable wake = one.ready();
            assertThat(other.ready()).isSameAs(wake);
            wake.run();
            assertThat(until(first, ";")).contains("200 OK", "/later/1");
            assertThat(until(second, ";")).contains("200 OK", "/later/2");
            assertThat(host.inFlight()).isZero();
        }
    }

    @Test
    void requestsOfAConnectionAreAnsweredInTheirOrder() throws Exception {
        try (Socket socket = ask("/later/1", "/thread/2", "/later/3")) {
            answers.begun.take().ready().run();
            Begun third = answers.begun.take();
            assertThat(until(socket, "/thread/2;")).containsSubsequence("/later/1;", "/thread/2;");
            third.ready().run();
            assertThat(until(socket, ";")).contains("/later/3;");
        }
    }

    @Test
    void theyCountAmongTheRequestsUnderWay() throws Exception {
        try (Socket first = ask("/later/1");
                Socket second = ask("/later/2")) {
            Begun one = answers.begun.take();
            answers.begun.take().ready();
            try (Socket third = ask("/later/3")) {
                assertThat(until(third, "\r\n\r\n")).contains("503");
            }
            one.ready().run();
            assertThat(until(first, ";")).contains("/later/1;");
            assertThat(until(second, ";")).contains("/later/2;");
        }
    }

    @Test
    void aFaultOfOneIsItsOwn() throws Exception {
        for (String path : List.of("/later/fault", "/later/two-lines")) {
            try (Socket fault = ask(path);
                    Socket other = ask("/later/other")) {
                Begun one = answers.begun.take();
                one.ready();
                answers.begun.take().ready().run();
                assertThat(until(other, ";")).contains("/later/other");
                assertThat(until(fault, "\r\n\r\n")).containsAnyOf("500 Internal Server Error", "(ended)");
            }
        }
        assertThat(host.counts().get(ConnectionCounter.CONNECTION_FAULTS)).isEqualTo(2);
        assertThat(host.inFlight()).isZero();
    }

    @Test
    void aLongOneIsCompressedElsewhere() throws Exception {
        try (Socket socket = ask("/later/long", "/later/next")) {
            answers.begun.take().ready().run();
            Begun next = answers.begun.take();
            next.ready().run();
            assertThat(until(socket, "/later/next;")).containsSubsequence("Content-Encoding: gzip", "/later/next;");
        }
    }

    @Test
    void streamsOfHttp2AreAnsweredAsTheyBecomeReady() throws Exception {
        host.follow(host.settings(), GeneratedCertificate.of(folder, "a test", List.of(LOOPBACK), new SecureRandom()));
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(PinnedTrust.in(folder.resolve("certificate.pem")))
                .build()) {
            var first = send(client, "/later/1");
            Begun one = answers.begun.take();
            var second = send(client, "/later/2");
            answers.begun.take().ready().run();
            assertThat(second.get().body()).isEqualTo("/later/2;");
            assertThat(second.get().version()).isEqualTo(HttpClient.Version.HTTP_2);
            one.ready().run();
            assertThat(first.get().body()).isEqualTo("/later/1;");
            assertThat(host.counts().get(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
        }
    }

    private CompletableFuture<java.net.http.HttpResponse<String>> send(HttpClient client, String path) {
        return client.sendAsync(
                java.net.http.HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + address.getPort() + path)).build(),
                java.net.http.HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void whoHasGoneIsNotMissed() throws Exception {
        Begun left;
        try (Socket _ = ask("/later/left")) {
            left = answers.begun.take();
        }
        left.ready().run();
        try (Socket socket = ask("/later/stays")) {
            answers.begun.take().ready().run();
            assertThat(until(socket, ";")).contains("/later/stays");
        }
        assertThat(host.inFlight()).isZero();
    }

    @Test
    void theServerEndsBehindThem() throws Exception {
        try (Socket socket = ask("/later/last")) {
            Begun last = answers.begun.take();
            Thread answering = Thread.ofVirtual().start(() -> {
                while (takesConnections()) {
                    Thread.onSpinWait();
                }
                last.ready().run();
            });
            host.close();
            answering.join();
            assertThat(until(socket, ";")).contains("/later/last");
        }
    }

    private boolean takesConnections() {
        try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
