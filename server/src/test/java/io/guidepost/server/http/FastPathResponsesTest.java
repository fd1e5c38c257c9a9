package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are ready when they are asked for, among others that are not. */
@Timeout(60)
class FastPathResponsesTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final String GET_LONG = "GET /quick/long HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int LONG = 50_000;

    /** Answers below /quick at once with the target, /quick/long with more, and the rest where it may wait. */
    private static final class Both implements BareResponses {
        final AtomicInteger quick = new AtomicInteger();

        @Override
        public @Nullable HttpResponse atOnce(HttpRequest request) {
            if (!request.path().startsWith("/quick")) {
                return null;
            }
            quick.incrementAndGet();
            return request.path().equals("/quick/long")
                    ? HttpResponse.of(200, "application/octet-stream", new byte[LONG])
                    : told(request);
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return told(request);
        }

        private static HttpResponse told(HttpRequest request) {
            return HttpResponse.of(200, "text/plain", request.method() + " " + request.target() + ";");
        }
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    @Test
    void allAreAnsweredInTheirOrderWhoeverReadsThem() throws IOException {
        try (HttpServer host = new HttpServer(io.guidepost.server.handle.TestListeners.PATIENT, "test")) {
            InetSocketAddress address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
            host.start(new Both(), null);
            try (Socket socket = connect(address)) {
                String rest = " HTTP/1.1\r\nHost: a\r\n";
                StringBuilder all = new StringBuilder();
                List.of("GET /quick/1", "GET /slow/2", "GET /quick/3", "HEAD /slow/4", "GET /slow/5")
                        .forEach(each -> all.append(each).append(rest).append("\r\n"));
                all.append("GET /quick/6").append(rest).append("Connection: close\r\n\r\n");
                socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.US_ASCII));
                String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(7);
                assertThat(answers)
                        .containsSubsequence(
                                "GET /quick/1;", "GET /slow/2;", "GET /quick/3;", "content-length: 13", "GET /slow/5;",
                                "connection: close", "GET /quick/6;")
                        .doesNotContain("HEAD");
            }
            assertThat(host.counts().get(ConnectionCounter.REQUESTS_AT_ONCE)).isEqualTo(3);
        }
    }

    /** Whoever asks without taking answers is not read: what waits for it has a bound. */
    @Test
    void whoTakesNoAnswersIsNotRead() throws IOException {
        Both answers = new Both();
        int asked = 4000;
        try (HttpServer host = new HttpServer(io.guidepost.server.handle.TestListeners.PATIENT, "test")) {
            InetSocketAddress address = host.listen(List.of(LOOPBACK), 0, "a test").getFirst();
            host.start(answers, null);
            try (Socket socket = connect(address)) {
                Thread asking = Thread.ofVirtual().start(() -> ask(socket, asked));
                // It is read no further when the number of answers no longer grows, whatever the sockets took of them.
                int before = -1;
                for (int now = answers.quick.get(); now != before || now == 0; now = answers.quick.get()) {
                    before = now;
                    LockSupport.parkNanos(300_000_000);
                }
                assertThat(before).isLessThan(asked);
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                for (int i = 0; i < asked; i++) {
                    readLong(in);
                }
                asking.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(answers.quick.get()).isEqualTo(asked);
    }

    private static void ask(Socket socket, int times) {
        try {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < times; i++) {
                out.write(GET_LONG.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void readLong(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        assertThat(head).startsWith("HTTP/1.1 200 OK\r\n").contains("content-length: " + LONG + "\r\n");
        in.readFully(new byte[LONG]);
    }
}
