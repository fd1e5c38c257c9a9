package io.guidepost.server.cli.scaffold;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demonstration with real kernels, real gateways, a real object router, and curl where it is installed. */
class ScaffoldDemoTest {
    private static final int SECONDS_MAX = 240;

    @TempDir
    private Path folder;

    static boolean mayMakeNetworks() throws IOException {
        String line = "mount -t tmpfs none /run && mkdir /run/netns && ip netns add a && ip -n a tuntap add t mode tun";
        Process process = new ProcessBuilder("unshare", "-rnm", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-ec", line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join().exitValue() == 0;
    }

    @ParameterizedTest
    @CsvSource({"'nothing,cable,kill,drain',", "'cable,kill', --ipv6 --seal", "'cable,kill', --labels"})
    void downloadsGoOnWhileCableAndServerAreTakenAway(String events, @Nullable String option) throws Exception {
        assumeTrue(mayMakeNetworks(), "no namespaces with TUN devices here");
        Path said = folder.resolve("said");
        Path errors = folder.resolve("errors");
        List<String> words = new ArrayList<>(
                List.of("scaffold", "demo", "--megabytes", "150", "--events", events, "--json"));
        if (option != null) {
            words.addAll(List.of(option.split(" ")));
        }
        Process process = new ProcessBuilder(BuiltServer.command(words))
                .redirectOutput(said.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text + Files.readString(errors)).isZero();
        Map<String, Object> answer = new AdminOptions.Reply(200, text).object();
        Map<?, ?> counts = requireNonNull((Map<?, ?>) answer.get("counts"), text);
        long labelled = Long.parseLong(AdminOptions.text(counts, "packets_sent_labelled"));
        long sent = Long.parseLong(AdminOptions.text(counts, "packets_sent"));
        if ("--labels".equals(option)) {
            assertThat(labelled).as("of %d packets", sent).isGreaterThan(sent / 2);
            assertThat(AdminOptions.rows(answer, "servers"))
                    .as("packets were too big for the link between the routers")
                    .anyMatch(each -> !AdminOptions.text(each, "errors_passed").equals("0"));
        } else {
            assertThat(labelled).isZero();
            assertThat(AdminOptions.text(counts, "packets_sent_sealed"))
                    .isEqualTo(option == null ? "0" : Long.toString(sent));
        }
        assertThat(AdminOptions.text(requireNonNull((Map<?, ?>) answer.get("health"), text), "status")).isEqualTo("ok");
        assertThat(AdminOptions.text(answer, "metrics"))
                .contains("guidepost_gateway_resumed_total{cause=\"ended\"}", "guidepost_port_packets_total{port=\"tun:gp0\"")
                .contains("guidepost_gateway_routers{state=\"heard\"} 1", "\n# EOF\n")
                .doesNotContain("guidepost_gateway_outage_seconds_count 0");
        List<Map<?, ?>> rows = AdminOptions.rows(answer, "downloads");
        assertThat(rows).hasSize(events.split(",", -1).length).allMatch(each -> AdminOptions.text(each, "whole").equals("true"));
        for (Map<?, ?> row : rows) {
            if (!List.of("kill", "drain").contains(AdminOptions.text(row, "event"))) {
                continue;
            }
            assertThat(row.get("change")).as("%s", row).isInstanceOf(Map.class);
            assertThat(AdminOptions.text((Map<?, ?>) row.get("change"), "resumed")).isEqualTo("true");
        }
    }

    @Test
    void whatIsWrongIsToldBeforeANetworkIsMade() {
        CommandRun size = CommandRun.of("scaffold", "demo", "--megabytes", "0");
        assertThat(size.code()).isEqualTo(ExitCode.USAGE);
        assertThat(size.err()).contains("--megabytes is 0; it must be 1 to 10000");
        assertThat(CommandRun.of("scaffold", "demo", "--events", "flood").err())
                .contains("'flood' is no event: write some of nothing,cable,kill,drain");
    }
}
