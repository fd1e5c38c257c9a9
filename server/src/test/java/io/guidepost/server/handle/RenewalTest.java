package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.server.RunningServer;
import io.guidepost.server.http.TlsKeyFiles;
import io.guidepost.server.http.tls.GeneratedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that is renewed and an access log that is moved away, while the server answers. */
class RenewalTest {
    private static final List<String> FILES = List.of("certificate.pem", "key.pem");

    @TempDir
    private Path folder;

    /** Makes a certificate in a folder, and puts it where the server looks. */
    private Path renew(String name) throws IOException {
        Path made = folder.resolve(name);
        GeneratedCertificate.of(made, name, List.of(InetAddress.ofLiteral("127.0.0.1")), new SecureRandom());
        for (String each : FILES) {
            Files.copy(made.resolve(each), folder.resolve(each), StandardCopyOption.REPLACE_EXISTING);
        }
        return made.resolve("certificate.pem");
    }

    private static HttpClient trusting(Path certificate) throws Exception {
        return HttpClient.newBuilder().sslContext(PinnedTrust.in(certificate)).build();
    }

    private static int status(HandleTestServer server, HttpClient client) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + server.httpPort() + "/api/handles/1234/library"))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void aRenewedCertificateIsShownAfterAReload() throws Exception {
        Path first = renew("first");
        try (HandleTestServer server = HandleTestServer.start(
                        folder.resolve("server"),
                        "http.tls-certificate=" + folder.resolve("certificate.pem"),
                        "http.tls-key=" + folder.resolve("key.pem"));
                HttpClient before = trusting(first)) {
            assertThat(status(server, before)).isEqualTo(200);
            Path second = renew("second");
            assertThat(server.server().reload().faults()).isEmpty();
            try (HttpClient after = trusting(second);
                    HttpClient old = trusting(first)) {
                assertThat(status(server, after)).isEqualTo(200);
                assertThatThrownBy(() -> status(server, old)).isInstanceOf(SSLException.class);
            }
            assertThat(status(server, before)).as("over the connection that there was").isEqualTo(200);

            Files.writeString(folder.resolve("certificate.pem"), "no certificate");
            assertThat(server.server().reload().faults()).singleElement().asString().contains("cannot be used for TLS");
            Files.delete(folder.resolve("key.pem"));
            assertThat(server.server().reload().faults()).singleElement().asString().contains("there is no file");
            try (HttpClient after = trusting(second)) {
                assertThat(status(server, after)).as("the old one stays in force").isEqualTo(200);
            }
        }
    }

    @Test
    void soIsOneInPkcs12WithItsPassword() throws Exception {
        Path certificate = folder.resolve("server.p12");
        Path password = folder.resolve("password");
        TlsKeyFiles first = TlsKeyFiles.make(folder.resolve("first"), "one");
        Files.copy(first.both(), certificate);
        Files.writeString(password, "one\n");
        try (HandleTestServer server = HandleTestServer.start(
                        folder.resolve("server"),
                        "http.tls-certificate=" + certificate,
                        "http.tls-password-file=" + password);
                HttpClient before = trusting(first.certificate())) {
            assertThat(status(server, before)).isEqualTo(200);
            TlsKeyFiles second = TlsKeyFiles.make(folder.resolve("second"), "two");
            Files.copy(second.both(), certificate, StandardCopyOption.REPLACE_EXISTING);
            assertThat(server.server().reload().faults())
                    .singleElement()
                    .asString()
                    .contains("server.p12 has another password");
            try (HttpClient old = trusting(first.certificate())) {
                assertThat(status(server, old)).as("the old one stays in force").isEqualTo(200);
            }
            Files.writeString(password, "two\n");
            assertThat(server.server().reload().faults()).isEmpty();
            try (HttpClient after = trusting(second.certificate())) {
                assertThat(status(server, after)).isEqualTo(200);
            }
        }
    }

    private static long lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    void aLogThatWasMovedAwayIsBegunAnewAtAReload() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.access-log=json")) {
            Path log = folder.resolve("handle/logs/access.log");
            byte[] question = HandleMessages.resolve(1, "1234/library");
            HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), question);
            assertThat(RunningServer.eventually(() -> lines(log) == 1)).isTrue();
            Path moved = Files.move(log, folder.resolve("moved"));
            assertThat(server.server().reload().done()).isTrue();
            HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), question);
            assertThat(RunningServer.eventually(() -> lines(log) == 1)).isTrue();
            assertThat(lines(moved)).isEqualTo(1);
        }
    }

    @Test
    void aLongLogIsFollowedByAnother() throws Exception {
        try (HandleTestServer server =
                HandleTestServer.start(folder, "handle.access-log=text", "handle.access-log-bytes-max=1")) {
            Path logs = folder.resolve("handle/logs");
            for (int i = 1; i <= 3; i++) {
                int files = i;
                HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(i, "1234/library"));
                assertThat(RunningServer.eventually(() -> lines(logs.resolve("access.log")) == 1 && count(logs) == files))
                        .as("a file for each of %d lines", i)
                        .isTrue();
            }
        }
    }

    private static long count(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noOldLogIsWrittenOver() throws Exception {
        LocalDate last = LocalDate.now(ZoneId.systemDefault()).minusMonths(2).withDayOfMonth(1);
        Path log = Files.writeString(folder.resolve("access.log"), "new\n");
        Files.writeString(folder.resolve("access.log." + last), "old\n");
        Files.setLastModifiedTime(
                log, FileTime.from(last.atTime(12, 0).atZone(ZoneId.systemDefault()).toInstant()));
        try (AccessLog _ = new AccessLog(folder, AccessLog.Form.TEXT, AccessLog.Rotation.MONTHLY, 0)) {
            assertThat(log).isEmptyFile();
            assertThat(folder.resolve("access.log." + last)).hasContent("old");
            assertThat(folder.resolve("access.log." + last + ".2")).hasContent("new");
        }
    }
}
