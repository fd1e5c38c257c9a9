package io.guidepost.server.cli.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsCommandTest {
    /** What a kind takes does not depend on the interface of its trial, which on AF_XDP loses most of its frames. */
    @Test
    void theLargestMtuOfEachKindIsSaid() {
        CommandRun ran = CommandRun.of("ports");
        assertThat(ran.code()).isZero();
        List<String> lines = ran.out().lines().toList();
        assertThat(lines.getFirst()).contains("largest MTU");
        assertThat(lines).filteredOn(line -> line.startsWith("xdp ")).singleElement().asString()
                .contains(" 1774, or 3822 with frame-bytes=4096").doesNotContain("jumbo");
        assertThat(lines).filteredOn(line -> line.startsWith("packet ")).singleElement().asString()
                .contains(" 1778, or 65266 with frame-bytes=65536").doesNotContain("jumbo");
        CommandRun json = CommandRun.of("ports", "--no-trial", "--json");
        assertThat(json.out()).contains("\"2048\": 1774", "\"4096\": 3822", "\"65536\": 65518").doesNotContain("\"8192\": 7918");
    }
}
