package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EalSettingsTest {
    @Test
    void whatIsNotSaidIsLeftToTheMachine() throws IOException {
        List<String> small = Eal.arguments(EalSettings.standard(), false, false);
        assertThat(small)
                .startsWith("guidepost", "--no-telemetry", "--no-huge", "--no-shconf", "-m", "64", "--no-pci")
                .anyMatch(argument -> argument.matches("--lcores=0@[0-9]+"))
                .contains("--log-level=warning");
        assertThat(Eal.arguments(EalSettings.standard(), false, true)).contains("512").doesNotContain("--no-pci");
        assertThat(Eal.arguments(EalSettings.standard(), true, true))
                .contains("--in-memory")
                .doesNotContain("-m", "--no-huge");
    }

    @Test
    void everyKeyReachesItsArgument() throws IOException {
        EalSettings settings = EalSettings.of("dpdk:x", Map.of(
                "eal-program", "box",
                "eal-memory", "256",
                "eal-channels", "4",
                "eal-block", "0000:00:03.0;0000:00:04.0",
                "eal-file-prefix", "mine",
                "eal-lcores", "0@1",
                "eal-log", "debug",
                "eal-huge", "on",
                "eal-pci", "off",
                "eal-extra", "--legacy-mem --iova-mode=va"));
        assertThat(settings.huge()).isEqualTo(EalSettings.Choice.ON);
        assertThat(settings.pci()).isEqualTo(EalSettings.Choice.OFF);
        assertThat(Eal.arguments(settings, true, true))
                .containsExactly(
                        "box",
                        "--no-telemetry",
                        "--in-memory",
                        "-m",
                        "256",
                        "-n",
                        "4",
                        "-b",
                        "0000:00:03.0",
                        "-b",
                        "0000:00:04.0",
                        "--file-prefix=mine",
                        "--lcores=0@1",
                        "--log-level=debug",
                        "--legacy-mem",
                        "--iova-mode=va");
        assertThat(Eal.arguments(EalSettings.of("dpdk:x", Map.of("eal-allow", "0000:00:05.0")), true, true))
                .containsSequence("-a", "0000:00:05.0");
    }

    @Test
    void whatIsNoGoodIsRefusedInOneLine() throws IOException {
        assertThatThrownBy(() -> EalSettings.of("dpdk:x", Map.of("eal-memory", "8")))
                .hasMessage("dpdk:x: eal-memory is \"8\"; it must be a number, 16 to 1048576");
        assertThatThrownBy(() -> EalSettings.of("dpdk:x", Map.of("eal-huge", "maybe")))
                .hasMessage("dpdk:x: eal-huge is \"maybe\"; it must be on or off or auto");
        assertThatThrownBy(() -> EalSettings.of("dpdk:x", Map.of("eal-allow", "a", "eal-block", "b")))
                .hasMessage("dpdk:x: eal-allow and eal-block cannot both be given; leave one out");
        assertThatThrownBy(() -> EalSettings.of("dpdk:x", Map.of("eal-colour", "red")))
                .hasMessageStartingWith("dpdk:x: no option \"eal-colour\"; there are eal-allow, eal-block");
        assertThat(EalSettings.of("dpdk:x", Map.of("eal-program", "guidepost"))).isEqualTo(EalSettings.standard());
    }
}
