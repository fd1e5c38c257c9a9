package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SOCKS and forwarded ports, with the curl of this machine. */
@Timeout(120)
class SocksDoorTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final String BODY = "a line\n".repeat(100_000);

    private final ObjectKey object = ObjectKey.generate(RANDOM);
    private UdpObjectRouter router;
    private RouterLink link;
    private StreamInstance instance;
    private ServerSocket web;
    private SocksDoor door;

    @BeforeEach
    void open() throws Exception {
        router = new UdpObjectRouter();
        link = RouterLink.open(HostKey.generate(RANDOM), List.of(InetAddress.ofLiteral("127.0.0.9")), 0, router.at());
        web = new ServerSocket(0, 50, LOOPBACK);
        Thread.ofVirtual().start(this::serve);
        instance = new StreamInstance(router.at(), () -> 200_000, "127.0.0.2")
                .offer(object, "web", null, ServiceListener.forwardTo((InetSocketAddress) web.getLocalSocketAddress()));
        door = SocksDoor.open(link, new InetSocketAddress(LOOPBACK, 0), "svc.internal");
    }

    @AfterEach
    void close() throws Exception {
        door.close();
        instance.close();
        web.close();
        link.close();
        router.close();
    }

    /** A server of HTTP with one answer. */
    private void serve() {
        while (!web.isClosed()) {
            try (Socket client = web.accept()) {
                int line = 0;
                for (int each = client.getInputStream().read(); each >= 0 && line < 4; each = client.getInputStream().read()) {
                    line = each == '\r' || each == '\n' ? line + 1 : 0;
                    if (line == 4) {
                        break;
                    }
                }
                client.getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\nConnection: close\r\n\r\n" + BODY)
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The next one may come.
            }
        }
    }

    record Ended(int code, String out) {}

    static Ended curl(String... arguments) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl");
        List<String> command = new ArrayList<>(List.of("/usr/bin/curl", "-sS", "--max-time", "60"));
        command.addAll(List.of(arguments));
        Process curl = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(curl.waitFor(), out);
    }

    private String socks() {
        return "127.0.0.1:" + door.at().getPort();
    }

    @Test
    void curlGetsAPageOfAnObjectThoughConnectionsAreCut() throws Exception {
        Ended ended = curl("--socks5-hostname", socks(), "http://web.svc.internal/");
        assertThat(ended.out()).isEqualTo(BODY);
        assertThat(ended.code()).isZero();
        assertThat(instance.relays.getFirst().cuts()).isPositive();
    }

    @Test
    void curlIsToldWhyAnythingElseIsRefused() throws Exception {
        assertThat(curl("--socks5-hostname", socks(), "http://nothing.svc.internal/").out()).contains("(4)");
        assertThat(curl("--socks5-hostname", socks(), "http://example.org/").out()).contains("(2)");
        assertThat(curl("--socks5", socks(), "http://127.0.0.1:" + web.getLocalPort() + "/").out()).contains("(2)");
        assertThat(link.count(StreamCount.SOCKS_REFUSED)).isEqualTo(3);
    }

    @Test
    void aPortThatStandsForAnObjectLeadsThere() throws Exception {
        try (SocksDoor port = SocksDoor.forward(link, new InetSocketAddress(LOOPBACK, 0), "web")) {
            Ended ended = curl("http://127.0.0.1:" + port.at().getPort() + "/");
            assertThat(ended.out()).isEqualTo(BODY);
        }
    }

    @Test
    void aRequestThatComesInPiecesAndOneThatIsNoneAreAnswered() throws Exception {
        try (Socket client = new Socket(LOOPBACK, door.at().getPort())) {
            for (byte each : HexFormat.of().parseHex("050100" + "05010003" + "03" + "776562" + "0050")) {
                client.getOutputStream().write(each);
            }
            assertThat(client.getInputStream().readNBytes(12)).isEqualTo(HexFormat.of().parseHex("0500" + "05000001000000000000"));
        }
        try (Socket client = new Socket(LOOPBACK, door.at().getPort())) {
            client.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(endOf(client)).isEqualTo(-1);
        }
        try (Socket client = new Socket(LOOPBACK, door.at().getPort())) {
            client.getOutputStream().write(HexFormat.of().parseHex("050102"));
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(HexFormat.of().parseHex("05ff"));
        }
    }

    private static int endOf(Socket client) {
        try {
            return client.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
