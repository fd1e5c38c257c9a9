package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Downloads by HTTP through a proxy go on at another instance, with the curl of this machine. */
@Timeout(120)
class RepeatedStreamTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final String BODY = "a line that is like the others\n".repeat(60_000);
    private static final Pattern FROM = Pattern.compile("Range: bytes=([0-9]+)-");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ObjectKey object = ObjectKey.generate(RANDOM);
    private final List<String> requests = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.add(part);
        return part;
    }

    /** A server of HTTP; of its first response it sends a part, and dies as a killed process does, or ends without a word. */
    private ServerSocket program(String body, boolean ranges, boolean resets) throws IOException {
        ServerSocket web = opened(new ServerSocket(0, 50, LOOPBACK));
        Thread.ofVirtual().start(() -> {
            while (!web.isClosed()) {
                try (Socket client = web.accept()) {
                    answer(client, body, ranges, resets);
                } catch (IOException e) {
                    // The next one may come.
                }
            }
        });
        return web;
    }

    private void answer(Socket client, String body, boolean ranges, boolean resets) throws IOException {
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
            request.append((char) client.getInputStream().read());
        }
        boolean first;
        synchronized (requests) {
            first = requests.isEmpty();
            requests.add(request.toString());
        }
        Matcher range = FROM.matcher(request);
        int from = ranges && range.find() ? Integer.parseInt(range.group(1)) : 0;
        String head = (from > 0 ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " + from + "-" + (body.length() - 1) + "/"
                        + body.length() : "HTTP/1.1 200 OK")
                + (ranges ? "\r\nAccept-Ranges: bytes" : "") + "\r\nContent-Length: " + (body.length() - from) + "\r\n\r\n";
        String all = head + body.substring(from);
        client.getOutputStream()
                .write(all.substring(0, first ? all.length() / 2 : all.length()).getBytes(StandardCharsets.US_ASCII));
        if (first && resets) {
            client.setSoLinger(true, 0);
        }
    }

    private SocksDoor door(String other, boolean ranges, boolean resets) throws Exception {
        UdpObjectRouter router = opened(new UdpObjectRouter());
        RouterLink link = opened(RouterLink.open(HostKey.generate(RANDOM), List.of(InetAddress.ofLiteral("127.0.0.9")), 0, router.at()));
        for (int i = 0; i < 2; i++) {
            ServerSocket web = program(BODY, ranges, resets);
            ServerSocket liar = program(other, ranges, resets);
            // Whichever is asked first is honest.
            opened(new StreamInstance(router.at(), () -> Long.MAX_VALUE, "127.0.0." + (2 + i)).offer(object, "web", null, channel -> {
                boolean begins;
                synchronized (requests) {
                    begins = requests.isEmpty();
                }
                ServiceListener.forwardTo((InetSocketAddress) (begins ? web : liar).getLocalSocketAddress()).serve(channel);
            }));
        }
        return opened(SocksDoor.forward(link, new InetSocketAddress(LOOPBACK, 0), "web"));
    }

    private static SocksDoorTest.Ended get(SocksDoor door) throws Exception {
        return SocksDoorTest.curl("http://127.0.0.1:" + door.at().getPort() + "/file");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void theNextInstanceGivesTheRest(boolean ranges, boolean resets) throws Exception {
        SocksDoorTest.Ended ended = get(door(BODY, ranges, resets));

        assertThat(ended.code()).as(ended.out().substring(0, Math.min(200, ended.out().length()))).isZero();
        assertThat(ended.out()).isEqualTo(BODY);
        assertThat(requests).hasSize(2);
        if (!resets) {
            // What a reset has overtaken may leave less than the overlap that a range needs.
            assertThat(requests.getLast().contains("Range: bytes=")).isEqualTo(ranges);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void otherBytesAreNeverJoined(boolean ranges) throws Exception {
        SocksDoorTest.Ended ended = get(door(BODY.replace("others", "OTHERS"), ranges, false));

        assertThat(ended.code()).isNotZero();
        assertThat(ended.out()).doesNotContain("OTHERS");
    }
}
