package io.guidepost.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proof of several servers, as short as it can be: processes, a kill, one that is stopped and goes on. */
class ProveSitesCommandTest {
    @TempDir
    private Path folder;

    @Test
    void whatWasAcknowledgedIsFoundThroughEveryServerAfterAKillAndACut() throws Exception {
        Path prefixes = Files.writeString(
                folder.resolve("prefixes"), "0.0.0.0/2 1\n64.0.0.0/3 2\n128.0.0.0/2 3\n192.0.0.0/4 4\n");
        CommandRun proof = CommandRun.of(
                "prove", "--sites", "3", "--writes", "800", "--cut", "pause", "--durability", "os",
                "--prefixes", prefixes.toString());
        assertThat(proof.code()).as("%s%s", proof.out(), proof.err()).isZero();
        assertThat(proof.out())
                .contains("killed (SIGKILL)", "stopped (SIGSTOP)", "healed", "no difference, no hint waits")
                .contains("Proven: every acknowledged write is found through every server");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThat(CommandRun.of("prove", "--sites", "2").err()).contains("--sites is 2, --writes 100000; they must be 3 to 9");
        assertThat(CommandRun.of("prove", "--sites", "3", "--cut", "knife").err()).contains("it must be auto, network or pause");
        assertThat(CommandRun.of("prove", "--sites", "3", "--trace", "file").err()).contains("--bindings and --trace are for one");
    }
}
