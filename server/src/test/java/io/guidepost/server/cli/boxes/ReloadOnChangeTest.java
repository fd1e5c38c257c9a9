package io.guidepost.server.cli.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Boxes that follow a file, whatever the interval of their reports is. */
class ReloadOnChangeTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"firewall, --rules, deny", "forward, --routes, port 1 10.0.0.1/24;port 2 192.0.2.1/24"})
    void aChangedFileIsReadAgainBeforeTheNextReport(String box, String option, String lines) throws Exception {
        String content = lines.replace(';', '\n') + "\n";
        Path file = Files.writeString(folder.resolve("followed"), content);
        String[] command = {
            box, "pcap:,write=" + folder.resolve("a"), "pcap:,write=" + folder.resolve("b"), option, file.toString(), "--reload-on-change",
            "--interval", "3600"
        };
        StringWriter err = new StringWriter();
        Thread run = Thread.ofPlatform().start(() -> Main.commandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(command));
        try {
            assertThat(RunningServer.eventually(() -> !run.isAlive() || err.toString().contains("b is open"))).isTrue();
            Files.writeString(file, "# changed\n" + content);
            assertThat(RunningServer.eventually(() -> !run.isAlive() || err.toString().contains(file + " was read again"))).isTrue();
            assertThat(run.isAlive()).as(err.toString()).isTrue();
        } finally {
            run.interrupt();
            run.join();
        }
    }
}
