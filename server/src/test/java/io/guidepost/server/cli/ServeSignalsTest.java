package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager sends to a server, and the code that it sees. */
class ServeSignalsTest {
    @TempDir
    private Path folder;

    private Process serve(String... settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--config", folder.resolve("guidepost.toml").toString()));
        List.of(settings).forEach(each -> arguments.addAll(List.of("--set", each)));
        return new ProcessBuilder(OwnCommandLine.of(arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private void configuration(String more) throws IOException {
        Files.writeString(folder.resolve("guidepost.toml"), """
                [store]
                folder = "store"
                [gnrs]
                listen = ["127.0.0.1"]
                port = 0
                [admin]
                port = 0
                """ + more);
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void says(Process server, String text) {
        RunningServer.eventually(() -> log().contains(text) || !server.isAlive());
        assertThat(log()).contains(text);
    }

    @Test
    void sighupReloadsAndSigtermEndsWithZero() throws Exception {
        configuration("");
        Process server = serve();
        try {
            says(server, "records in ");
            configuration("[gnrs2]\nport = 1\n");
            hangUp(server);
            says(server, "reload refused, the old files stay in force: " + folder.resolve("guidepost.toml"));
            configuration("");
            hangUp(server);
            says(server, "reloaded in ");

            server.destroy();
            assertThat(server.waitFor()).isZero();
            assertThat(log()).contains("Guidepost has ended");
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void aServerThatCannotStartEndsWithItsCode() throws Exception {
        configuration("");
        Process server = serve("gnrs.port=none");
        assertThat(server.waitFor()).isEqualTo(2);
    }

    private static void hangUp(Process server) throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(server.pid())).start().waitFor()).isZero();
    }
}
