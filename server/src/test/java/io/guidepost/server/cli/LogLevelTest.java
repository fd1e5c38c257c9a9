package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLevelTest {
    /** The JDK tells of its whole trust store at this level, and has a stack trace for the end of the process. */
    @Test
    void theDebugLogHasNothingOfTheLibraries() throws Exception {
        List<String> command = BuiltServer.command(List.of("rank", "--alto", "https://127.0.0.1:1/", "10.0.0.1"));
        command.add(1, "-Dtinylog.level=debug");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(log).contains("cannot be reached").doesNotContain("X509Certificate", "Runtime.exit", "\tat ");
    }

    @Test
    void nettyLooksForNoHardwareAddress() {
        assertThat(Path.of("src/main/launch/options"))
                .content()
                .containsPattern("\n-Dio\\.netty\\.machineId=([0-9a-f]{2}:){7}[0-9a-f]{2}\n");
    }
}
