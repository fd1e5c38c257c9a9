package io.guidepost.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.http.TlsKeyFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may change a server through its admin port, and what is kept of it. */
class AdminAccessTest {
    @TempDir
    private Path folder;

    private static String admin(RunningServer server) {
        return "127.0.0.1:" + server.server().adminAddress().orElseThrow().getPort();
    }

    /** Sends what no client of HTTP would; returns the answer's first line. */
    private static String raw(RunningServer server, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().adminAddress().orElseThrow().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().findFirst().orElse("");
        }
    }

    private List<String> audit() throws IOException {
        return Files.readAllLines(folder.resolve("store").resolve(AuditLog.NAME));
    }

    /** A web page's own name leads to this machine (DNS rebinding): its scripts may send any header. */
    @ParameterizedTest
    @CsvSource({
        "evil.example, 421", "evil.example:5080, 421", "127.0.0.1.evil.example, 421", "localhost, 200", "LOCALHOST:5080, 200",
        "127.0.0.1:5080, 200", "[::1]:5080, 200", "10.0.0.1, 200", "[::1, 400", "'', 421"
    })
    void aRequestWithTheNameOfAWebPageIsRefused(String host, int status) throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            String end = "Guidepost: yes\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            assertThat(raw(server, "POST /reload HTTP/1.1\r\nHost: " + host + "\r\n" + end)).contains(" " + status + " ");
            assertThat(raw(server, "GET /status HTTP/1.1\r\nHost: " + host + "\r\n" + end)).contains(" " + status + " ");
            assertThat(server.metric("guidepost_reloads_total{outcome=\"done\"}")).isEqualTo(status == 200 ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void anAddressThatOthersReachNeedsATokenAndTls(String address) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        assertThatThrownBy(() -> RunningServer.configuration(folder, "admin.address=" + address))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("admin.address")
                .hasMessageContaining("admin.token-file");
        assertThatThrownBy(() -> RunningServer.configuration(folder, "admin.address=" + address, "admin.token-file=" + token))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("http.tls-certificate");
    }

    @Test
    void fromAfarTheTokenComesOverTlsOfToday() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        TlsKeyFiles tls = TlsKeyFiles.make(folder, "password");
        try (RunningServer server = RunningServer.start(
                folder,
                "admin.address=0.0.0.0",
                "admin.token-file=" + token,
                "http.tls-certificate=" + tls.certificate(),
                "http.tls-key=" + tls.plainKey())) {
            String https = "https://localhost:" + server.server().adminAddress().orElseThrow().getPort();
            assertThat(CommandRun.of("reload", "-a", admin(server), "--token-file", token.toString()).err()).contains("HTTPS");
            String ca = tls.certificate().toString();
            assertThat(CommandRun.of("reload", "-a", https, "--ca-file", ca).err()).contains("admin.token-file");
            CommandRun done = CommandRun.of("reload", "-a", https, "--ca-file", ca, "--token-file", token.toString());
            assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.DONE);
        }
        assertThat(audit()).hasSize(3);
        assertThat(audit().get(0)).contains("\"status\":403");
        assertThat(audit().get(1)).contains("\"by\":\"none\"", "\"status\":401");
        assertThat(audit().get(2)).contains("\"by\":\"token\"", "\"request\":\"POST /reload\"", "\"status\":200");
    }

    @Test
    void theSocketLetsItsOwnUserDoAllWithoutAToken() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        Path socket = folder.resolve("admin.sock");
        String[] sets = {"admin.token-file=" + token, "admin.socket=" + socket};
        try (RunningServer server = RunningServer.start(folder, sets)) {
            assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(CommandRun.of("reload", "-a", admin(server)).err()).contains("admin.token-file");
            CommandRun done = CommandRun.of("backup", "daily", "-a", "unix:" + socket);
            assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.DONE);
            assertThatThrownBy(() -> RunningServer.start(folder.resolve("other"), sets))
                    .hasMessageContaining("another server has it");
        }
        assertThat(socket).doesNotExist();
        assertThat(audit().getLast()).contains("\"from\":\"socket\"", "\"by\":\"socket\"", "\"body\":\"daily\"", "\"status\":200");
        assertThat(Files.getPosixFilePermissions(folder.resolve("store").resolve(AuditLog.NAME)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));

        // A killed server leaves its socket behind.
        Files.createFile(socket);
        try (RunningServer _ = RunningServer.start(folder, sets)) {
            assertThat(CommandRun.of("reload", "-a", "unix:" + socket).code()).isEqualTo(ExitCode.DONE);
        }
    }

    /** A stranger chose the folder once. */
    @ParameterizedTest
    @ValueSource(strings = {"/tmp/elsewhere", "../up", "..", ".hidden", "a/b", " ", "a\\u0000b"})
    void aBackupHasANameAndNoPath(String name) throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            CommandRun refused = CommandRun.of("backup", name, "-a", admin(server));
            assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
            assertThat(refused.err()).contains("is no name of a backup");
            assertThat(folder.resolve("backups")).doesNotExist();
        }
    }

    /** Refusals are left out beyond a rate, so that they do not fill the disk; their number is not. */
    @Test
    void refusalsDoNotFillTheDisk() throws Exception {
        AuditLog log = new AuditLog(Files.createDirectories(folder.resolve("store")));
        for (int i = 0; i < 1000; i++) {
            log.write("192.0.2.1:1", "none", "POST /reload", "", 401);
        }
        log.write("socket", "socket", "POST /reload", "x".repeat(10_000), 200);
        String last = audit().getLast();
        int leftOut = Integer.parseInt(last.replaceFirst(".*\"refusalsLeftOut\":([0-9]+)}", "$1"));
        assertThat(leftOut).isPositive();
        assertThat(audit()).as("a line for each other, and the last").hasSize(1000 - leftOut + 1);
        assertThat(last).hasSizeLessThan(500);
    }
}
