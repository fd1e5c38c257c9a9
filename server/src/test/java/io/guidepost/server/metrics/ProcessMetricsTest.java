package io.guidepost.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sets alarms on: disk, files, memory, certificates, backups. */
class ProcessMetricsTest {
    @TempDir
    private Path folder;

    @Test
    void aBackupIsRememberedBeyondARestart() throws Exception {
        double before = (double) Instant.now().getEpochSecond();
        try (RunningServer server = RunningServer.start(folder)) {
            assertThat(server.metric("guidepost_store_last_backup_timestamp_seconds")).isZero();
            String admin = "127.0.0.1:" + server.server().adminAddress().orElseThrow().getPort();
            CommandRun backup = CommandRun.of("backup", "-a", admin);
            assertThat(backup.code()).as(backup.err()).isZero();
            assertThat(server.metric("guidepost_store_last_backup_timestamp_seconds")).isGreaterThanOrEqualTo(before);
        }
        try (RunningServer server = RunningServer.start(folder)) {
            assertThat(server.metric("guidepost_store_last_backup_timestamp_seconds")).isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    void theDiskOfTheStoreIsMeasured() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            double bytes = server.metric("guidepost_store_disk_bytes");
            Files.write(folder.resolve("store").resolve("more"), new byte[1 << 20]);
            assertThat(server.metric("guidepost_store_disk_bytes")).isGreaterThanOrEqualTo(bytes + (1 << 20));
            assertThat(server.metric("guidepost_store_disk_free_bytes")).isPositive();
        }
    }

    @Test
    void openFilesAndMemoryAreThoseOfTheProcess() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            double files = server.metric("process_open_fds");
            assertThat(files).isPositive().isLessThan(server.metric("process_max_fds"));
            Path some = Files.writeString(folder.resolve("some"), "");
            FileChannel[] open = new FileChannel[100];
            for (int i = 0; i < open.length; i++) {
                open[i] = FileChannel.open(some, StandardOpenOption.READ);
            }
            // The JVM may close some of its own meanwhile.
            assertThat(server.metric("process_open_fds")).isGreaterThan(files + 50);
            for (FileChannel each : open) {
                each.close();
            }
            assertThat(server.metric("process_resident_memory_bytes"))
                    .isGreaterThan(server.metric("guidepost_store_index_bytes"))
                    .isLessThan(1e12);
        }
    }

    @Test
    void theExpiryOfACertificateIsThatOfItsFile() throws Exception {
        Path alto = folder.resolve("alto");
        try (RunningServer server = RunningServer.start(
                folder,
                "alto.enabled=true",
                "alto.listen=127.0.0.1",
                "alto.http-port=0",
                "alto.folder=" + alto)) {
            X509Certificate certificate = certificate(alto);
            // The port lets connections in when the first maps are made.
            assertThat(RunningServer.eventually(() -> tells(server, "guidepost_alto_certificate_expiry_timestamp_seconds ")))
                    .isTrue();
            assertThat(server.metric("guidepost_alto_certificate_expiry_timestamp_seconds"))
                    .isEqualTo((double) certificate.getNotAfter().toInstant().getEpochSecond());
        }
    }

    private static boolean tells(RunningServer server, String sample) {
        try {
            return server.page("/metrics").contains("\n" + sample);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static X509Certificate certificate(Path folder) throws Exception {
        try (var files = Files.list(folder)) {
            Path file = files.filter(each -> each.toString().contains("certificate")).findFirst().orElseThrow();
            try (var in = Files.newInputStream(file)) {
                return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            }
        }
    }
}
