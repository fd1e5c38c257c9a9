package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.RunningServer;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A port of a process that has no file number left for whoever comes. */
@Timeout(120)
class FileLimitTest {
    private static final byte[] REQUEST = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String STATUS = "HTTP/1.1 200 OK";

    private static final RequestHandler ANSWERS = new BareResponses() {
        @Override
        public @Nullable HttpResponse atOnce(HttpRequest request) {
            return HttpResponse.empty(200);
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return HttpResponse.empty(200);
        }
    };

    /** Lowers how many files this process may have open, and raises that again, from another process that is there before. */
    private static final class FileLimit implements AutoCloseable {
        private static final String SCRIPT = "command -v prlimit >/dev/null || exit 1; "
                + "old=$(prlimit --pid $0 --nofile --output SOFT --noheadings --raw); echo $old; "
                + "read go; prlimit --pid $0 --nofile=8:; echo low; read go; prlimit --pid $0 --nofile=$old:; echo back";

        private final Process process;
        private final BufferedReader out;
        private final OutputStream in;

        FileLimit() throws IOException {
            process = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(ProcessHandle.current().pid()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            out = process.inputReader(StandardCharsets.US_ASCII);
            in = process.getOutputStream();
            assumeTrue(out.readLine() != null, "prlimit is needed (util-linux)");
        }

        void next(String state) throws IOException {
            in.write('\n');
            in.flush();
            assertThat(out.readLine()).isEqualTo(state);
        }

        /** Whatever was not said yet is done at the end of the input. */
        @Override
        public void close() throws IOException {
            in.close();
            process.onExit().join();
        }
    }

    private static String ask(SocketChannel client) throws IOException {
        client.write(ByteBuffer.wrap(REQUEST));
        return answer(client);
    }

    /** The first line of an answer without a body. */
    private static String answer(SocketChannel client) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0 && client.read(one.clear()) > 0) {
            head.append((char) one.get(0));
        }
        return head.toString().lines().findFirst().orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void whoCannotBeLetInIsLetInLater(ConnectionTransport transport) throws Exception {
        HttpServerSettings settings = new HttpServerSettings(
                transport, 1, 20_000, 1024, 1024, 10_000, 60_000, 4 << 20, List.of());
        try (HttpServer host = new HttpServer(settings, "test");
                FileLimit limit = new FileLimit();
                SocketChannel before = SocketChannel.open();
                SocketChannel late = SocketChannel.open()) {
            InetSocketAddress address =
                    host.listen(List.of(InetAddress.ofLiteral("127.0.0.1")), 0, "a test").getFirst();
            host.start(ANSWERS, null);
            before.connect(address);
            assertThat(ask(before)).isEqualTo(STATUS);
            // What is called below is called once before: a class of this test could not be opened either.
            assertThat(RunningServer.eventually(() -> host.counts().get(ConnectionCounter.CONNECTIONS_ACCEPTED) >= 1)).isTrue();
            assertThat(host.counts().get(ConnectionCounter.FAILED_ACCEPTS)).as("nobody was kept out").isEqualTo(0);
            limit.next("low");
            late.connect(address);
            late.write(ByteBuffer.wrap(REQUEST));
            assertThat(RunningServer.eventually(() -> host.counts().get(ConnectionCounter.FAILED_ACCEPTS) >= 2)).isTrue();
            assertThat(host.counts().get(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
            assertThat(ask(before)).as("the answer to one that was let in before").isEqualTo(STATUS);
            limit.next("back");
            assertThat(answer(late)).isEqualTo(STATUS);
            assertThat(host.counts().get(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(2);
        }
    }
}
