package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.HandleDemo;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who asked, as the access log tells it: over IPv6, and through proxies. */
class AccessLogClientTest {
    @TempDir
    private Path folder;

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private List<String> logged(int number) {
        Path log = folder.resolve("handle/logs/access.log");
        assertThat(RunningServer.eventually(() -> lines(log).size() >= number)).isTrue();
        return lines(log);
    }

    private static int get(String host, int port, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/api/handles/1234/library"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private static boolean hasIpv6() {
        try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void everyTransportIsSpokenOverIpv6() throws Exception {
        Assumptions.assumeTrue(hasIpv6(), "this machine has no IPv6");
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.listen=::1", "handle.access-log=text")) {
            byte[] question = HandleMessages.resolve(1, "1234/library");
            HandleMessage tcp = HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), question);
            assertThat(tcp.responseCode()).contains(ResponseCode.SUCCESS);
            InetSocketAddress udp = server.server().handleUdpAddresses().getFirst();
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("::1"))) {
                socket.setSoTimeout(20_000);
                socket.send(new DatagramPacket(question, question.length, udp));
                DatagramPacket answer = new DatagramPacket(new byte[512], 512);
                socket.receive(answer);
                assertThat(HandleMessage.read(Arrays.copyOf(answer.getData(), answer.getLength())).body())
                        .isEqualTo(tcp.body());
            }
            assertThat(get("[::1]", server.httpPort())).isEqualTo(200);
            assertThat(logged(3)).allMatch(each -> each.startsWith("::1 "));
        }
    }

    @Test
    void aChangeOverJsonIsToldAsOneOverTheNativeProtocol() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.access-log=text");
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(PinnedTrust.in(folder.resolve("handle/serverCertificate.pem"))).build()) {
            String user = HandleDemo.BY_SECRET.toString().replace(":", "%3A") + ":" + HandleDemo.SECRET;
            HttpRequest put = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.httpPort() + "/api/handles/1234/told"))
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)))
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString("[{\"index\":1,\"type\":\"URL\",\"data\":\"https://example.org/\"}]"))
                    .build();
            assertThat(client.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
            assertThat(get("127.0.0.1", server.httpPort())).isEqualTo(200);
            List<String> lines = logged(2);
            assertThat(lines).hasSize(2);
            assertThat(lines.getFirst())
                    .matches("127\\.0\\.0\\.1 HTTPS:PUT \"[^\"]+\" 100 1 \\d+ms adm=" + HandleDemo.BY_SECRET + " 1234/told");
            assertThat(lines.getLast()).matches("127\\.0\\.0\\.1 HTTP:GET \"[^\"]+\" - 200 \\d+ms /api/handles/1234/library");
            assertThat(server.running().metric("guidepost_handle_responses_total{transport=\"HTTPS\",operation=\"create\",code=\"1\"}"))
                    .isEqualTo(1);
            assertThat(server.running().metric("guidepost_handle_pages_total{transport=\"HTTPS\",status=\"201\"}")).isEqualTo(1);
        }
    }

    @Test
    void aTrustedProxySaysWhoAsks() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(
                folder, "http.trusted-proxies=127.0.0.0/8,10.0.0.0/8", "handle.access-log=text")) {
            assertThat(get("127.0.0.1", server.httpPort(), "X-Forwarded-For", "198.51.100.7, 203.0.113.9, 10.1.2.3"))
                    .isEqualTo(200);
            assertThat(get("127.0.0.1", server.httpPort())).isEqualTo(200);
            assertThat(logged(2).get(0)).startsWith("203.0.113.9 HTTP:GET ");
            assertThat(logged(2).get(1)).startsWith("127.0.0.1 HTTP:GET ");
        }
    }

    @Test
    void nobodyElseDoes() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(
                folder, "http.trusted-proxies=10.0.0.0/8", "handle.access-log=text")) {
            assertThat(get("127.0.0.1", server.httpPort(), "X-Forwarded-For", "203.0.113.9")).isEqualTo(200);
            assertThat(logged(1).getFirst()).startsWith("127.0.0.1 HTTP:GET ");
        }
    }
}
