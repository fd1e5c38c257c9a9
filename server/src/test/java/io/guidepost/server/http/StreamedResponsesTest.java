package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that wait for something to happen: they leave others their places, and end when nobody is there. */
@Timeout(60)
class StreamedResponsesTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final long WAIT_SECONDS = 20;

    /** A stream of one line, after which it waits to be interrupted; below /poll the answer itself waits. */
    private static final class Waiting implements BareResponses {
        final CountDownLatch ended = new CountDownLatch(1);
        private final CountDownLatch never = new CountDownLatch(1);

        @Override
        public boolean lasts(HttpRequest request) {
            return !request.path().equals("/soon");
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            try {
                return switch (request.path()) {
                    case "/soon" -> HttpResponse.of(200, "text/plain", "soon");
                    case "/poll" -> {
                        await();
                        yield HttpResponse.empty(200);
                    }
                    default -> new HttpResponse(200, List.of(), new HttpResponse.Stream(this::tell));
                };
            } catch (InterruptedIOException e) {
                return HttpResponse.empty(503);
            }
        }

        private void tell(OutputStream out) throws IOException {
            out.write("event\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await();
        }

        private void await() throws InterruptedIOException {
            try {
                never.await();
            } catch (InterruptedException e) {
                ended.countDown();
                throw new InterruptedIOException();
            }
        }
    }

    private static HttpServerSettings settings(int inFlight, int lasting) {
        return new HttpServerSettings(
                ConnectionTransport.EPOLL, 1, 100, inFlight, lasting, 60_000, 60_000, 1000, List.of());
    }

    private static Socket ask(InetSocketAddress address, String path) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String until(Socket socket, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                break;
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void theyLeaveOthersTheirPlacesAndAreBoundedThemselves() throws IOException {
        Waiting answers = new Waiting();
        try (HttpServer host = new HttpServer(settings(1, 2), "test")) {
            InetSocketAddress address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
            host.start(answers, null);
            try (Socket first = ask(address, "/events");
                    Socket second = ask(address, "/events")) {
                assertThat(until(first, "event")).contains("200", "event");
                assertThat(until(second, "event")).contains("200", "event");
                try (Socket third = ask(address, "/events");
                        Socket soon = ask(address, "/soon")) {
                    assertThat(until(third, "\r\n\r\n")).contains("503");
                    assertThat(until(soon, "soon")).contains("200", "soon");
                }
                assertThat(host.counts().get(ConnectionCounter.REQUESTS_REFUSED_STREAMS_MAX)).isEqualTo(1);
                assertThat(host.lasting()).isEqualTo(2);
            }
        }
    }

    @Test
    void whoeverClosesIsSeenWithoutAnythingBeingWritten() throws Exception {
        for (String path : List.of("/events", "/poll")) {
            Waiting answers = new Waiting();
            try (HttpServer host = new HttpServer(settings(1, 1), "test")) {
                InetSocketAddress address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
                host.start(answers, null);
                try (Socket asks = ask(address, path)) {
                    if (path.equals("/events")) {
                        until(asks, "event");
                    }
                }
                assertThat(answers.ended.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(host.counts().get(ConnectionCounter.ABORTED_STREAMS)).isEqualTo(1);
            }
        }
    }

    @Test
    void theyEndWithTheServer() throws Exception {
        Waiting answers = new Waiting();
        HttpServer host = new HttpServer(settings(1, 1), "test");
        InetSocketAddress address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
        host.start(answers, null);
        try (Socket asks = ask(address, "/events")) {
            until(asks, "event");
            host.close();
            assertThat(answers.ended.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
