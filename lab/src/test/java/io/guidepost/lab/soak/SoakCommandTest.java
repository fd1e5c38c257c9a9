package io.guidepost.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.AdminOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak as short as it can be: one process, one event, a few requests through each door. */
class SoakCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aShortSoakOfAllDoorsHolds() throws Exception {
        Path svg = folder.resolve("curves.svg");
        CommandRun ran = CommandRun.of(
                "soak", "--minutes", "0.05", "--every", "1", "--rate", "20", "--events", "reload", "--seed", "1", "--svg", svg.toString(),
                "--json");
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.json().get("broken")).isEqualTo(List.of());
        assertThat(AdminOptions.rows(ran.json(), "events")).isNotEmpty();
        assertThat(AdminOptions.rows(ran.json(), "requests")).hasSize(14);
        assertThat(ran.err()).contains("reload");
        assertThat(svg).content().startsWith("<svg");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThat(CommandRun.of("soak", "--minutes", "0.01").err()).contains("a run has 1 to 1000000 seconds");
        assertThat(CommandRun.of("soak", "--events", "meteorite").err()).contains("meteorite");
    }
}
