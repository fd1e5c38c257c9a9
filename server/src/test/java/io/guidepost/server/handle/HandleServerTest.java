package io.guidepost.server.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server: one record, the same over every transport, and what is told and logged of it. */
class HandleServerTest {
    @TempDir
    private Path folder;

    private static byte[] overUdp(HandleTestServer server, byte[] request) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(20_000);
            socket.send(new DatagramPacket(
                    request, request.length, server.server().handleUdpAddresses().getFirst()));
            DatagramPacket answer = new DatagramPacket(new byte[512], 512);
            socket.receive(answer);
            return Arrays.copyOf(answer.getData(), answer.getLength());
        }
    }

    private static byte[] overHttp(HandleTestServer server, byte[] request) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + server.httpPort() + "/").toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/x-hdl-message");
        connection.setRequestProperty("Accept", "application/x-hdl-message");
        connection.getOutputStream().write(request);
        return connection.getInputStream().readNBytes(connection.getContentLength());
    }

    private static List<HandleValue> values(HandleMessage answer) {
        assertThat(answer.responseCode()).contains(ResponseCode.SUCCESS);
        return answer.body() instanceof MessageBody.Values(_, List<HandleValue> values) ? values : List.of();
    }

    @Test
    void everyTransportGivesTheSame() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            byte[] question = HandleMessages.resolve(1, "1234/library");
            HandleMessage tcp = HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), question);
            assertThat(values(tcp)).hasSize(3);
            assertThat(values(HandleMessage.read(overUdp(server, question)))).isEqualTo(values(tcp));
            assertThat(values(HandleMessage.read(overHttp(server, question)))).isEqualTo(values(tcp));
            String json = new String(
                    URI.create("http://127.0.0.1:" + server.httpPort() + "/api/handles/1234/library")
                            .toURL()
                            .openStream()
                            .readAllBytes(),
                    UTF_8);
            assertThat(json).contains("https://library.example/catalogue");
            assertThat(server.running().metric("guidepost_handle_requests_at_once_total"))
                    .as("questions over TCP and HTTP that were answered out of the index")
                    .isEqualTo(2);
            assertThat(server.running().metric("guidepost_handle_udp_responses_total{source=\"index\",code=\"success\"}")).isEqualTo(1);
            assertThat(server.running().metric(
                            "guidepost_handle_responses_total{transport=\"TCP\",operation=\"resolve\",code=\"1\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aLongAnswerOverTcpIsOneMessage() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            HandleMessage answer = HandleMessages.overTcp(
                    server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(1, "0.NA/1234"));
            assertThat(values(answer)).extracting(HandleValue::type).contains("HS_PUBKEY").doesNotContain("HS_SECKEY");
            assertThat(server.running().metric("guidepost_handle_requests_at_once_total"))
                    .isEqualTo(1);
        }
    }

    @Test
    void questionsFollowEachOtherOnOneConnection() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder);
                Socket socket = HandleMessages.connect(server.server().handleTcpAddresses().getFirst())) {
            for (int i = 1; i <= 500; i++) {
                socket.getOutputStream().write(HandleMessages.resolve(i, i % 2 == 0 ? "1234/none" : "1234/printer", OpFlag.KPAL));
            }
            for (int i = 1; i <= 500; i++) {
                HandleMessage answer = HandleMessage.read(HandleMessages.next(socket.getInputStream()));
                assertThat(answer.envelope().requestId()).isEqualTo(i);
                assertThat(answer.responseCode())
                        .contains(i % 2 == 0 ? ResponseCode.HANDLE_NOT_FOUND : ResponseCode.SUCCESS);
            }
        }
    }

    @Test
    void healthSaysWhichPrefixesAreAtHome() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            String admin = "http://127.0.0.1:" + server.server().adminAddress().orElseThrow().getPort();
            for (String page : List.of("/ready", "/health")) {
                String text = new String(URI.create(admin + page).toURL().openStream().readAllBytes(), UTF_8);
                assertThat(text).contains("\"writable\": true", "0.NA/1234");
            }
        }
    }

    @Test
    void accessesAreLoggedInTheCustomaryLine() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.access-log=text")) {
            HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(1, "1234/library"));
            overUdp(server, HandleMessages.resolve(2, "1234/none"));
            overHttp(server, HandleMessages.resolve(3, "9999/elsewhere"));
            URI.create("http://127.0.0.1:" + server.httpPort() + "/api/prefixes?x=1").toURL().openConnection()
                    .getHeaderField(0);
            Path log = folder.resolve("handle/logs/access.log");
            assertThat(RunningServer.eventually(() -> lines(log).size() >= 4)).isTrue();
            String time = "\"\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4}\" ";
            assertThat(lines(log).get(0)).matches("127\\.0\\.0\\.1 TCP:HDL\\(2\\.11\\) " + time + "1 1 \\d+ms 1234/library");
            assertThat(lines(log).get(1)).matches("127\\.0\\.0\\.1 UDP:HDL\\(2\\.11\\) " + time + "1 100 \\d+ms 1234/none");
            assertThat(lines(log).get(2))
                    .matches("127\\.0\\.0\\.1 HTTP:HDL\\(2\\.11\\) " + time + "1 301 \\d+ms 9999/elsewhere");
            assertThat(lines(log).get(3)).matches("127\\.0\\.0\\.1 HTTP:GET " + time + "- \\d+ \\d+ms /api/prefixes\\?x=1");
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void aServerIsTheSameAfterItWasStartedAnew() throws Exception {
        byte[] key;
        byte[] certificate;
        try (HandleTestServer _ = HandleTestServer.start(folder)) {
            key = Files.readAllBytes(folder.resolve("handle/privkey.bin"));
            certificate = Files.readAllBytes(folder.resolve("handle/serverCertificate.pem"));
            assertThat(Files.getPosixFilePermissions(folder.resolve("handle/privkey.bin"))).hasSize(2);
        }
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            assertThat(Files.readAllBytes(folder.resolve("handle/privkey.bin"))).isEqualTo(key);
            assertThat(Files.readAllBytes(folder.resolve("handle/serverCertificate.pem"))).isEqualTo(certificate);
            assertThat(values(HandleMessages.overTcp(
                            server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(1, "1234/printer"))))
                    .hasSize(3);
        }
    }

    @Test
    void aKeyUnderAPassphraseNeedsIt() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "correct horse\n");
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.passphrase-file=" + secret)) {
            assertThat(server.server().handleHttpAddresses()).hasSize(1);
        }
        assertThatThrownBy(() -> HandleTestServer.start(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("privkey.bin")
                .hasMessageContaining("handle.passphrase-file");
    }
}
