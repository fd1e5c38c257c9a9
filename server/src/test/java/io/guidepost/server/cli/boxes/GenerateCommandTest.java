package io.guidepost.server.cli.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerateCommandTest {
    private static long number(Map<?, ?> row, String key) {
        return ((Number) Objects.requireNonNull(row.get(key))).longValue();
    }

    @Test
    void itEndsAfterItsCount() {
        CommandRun ran = CommandRun.of("generate", "memory:x", "--count", "500", "--size", "mix", "-i", "0.1", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("\"sent\": 500").contains("memory:x-a");
    }

    @ParameterizedTest
    @CsvSource({"--vlan 7", "--from 2001:2::1 --to 2001:2::2", "--vlan 4094 --from 2001:2::1 --to 2001:2::2"})
    void theMixIsOfAnyFamilyAndTag(String arguments) {
        CommandRun ran = CommandRun.of(
                ("generate memory:x --count 500 --size mix -i 0.1 --json " + arguments).split(" ", -1));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("\"sent\": 500");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate fast | --rate is \"fast\"; write frames in a second as 100k or 2M, or bits as 500Mbit",
                "--size 64;1518 | --size is \"64;1518\"; write numbers with commas, or mix",
                "--size 9 | the size is 9; it must be 64 to 16000",
                "--size 9000 | does not fit packet memory",
                "--source-port 9-5 | --source-port is \"9-5\"; write a port number, or two as 1024-2047",
                "--to-mac 02:00 | --to-mac is \"02:00\"; write it as 02:00:00:00:00:01",
                "--from 10.0.0.1 --to ::1 | source and destination must be both IPv4 or both IPv6"
            })
    void whatIsWrongIsSaidInOneLine(String arguments, String message) {
        CommandRun ran = CommandRun.of(("generate memory:x --seconds 1 " + arguments).split(" ", -1));
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err()).contains("guidepost: ").contains(message);
    }

    /** Both ends of a veth pair in a namespace of their own: every frame arrives once, in order, and is timed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--size mix",
                "--size mix --vlan 7 --from 2001:2::1 --to 2001:2::2",
                "--size 82,1518 --from 2001:2::1 --to 2001:2::2",
                "--size 66 --vlan 7",
                "--queues 2 --source-port 1-999"
            })
    void whatIsSentIsReceived(String arguments) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "network namespaces are Linux's");
        String generate = String.join(" ", BuiltServer.command(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"), List.of()))
                + " generate packet:v0"
                + " --receive packet:v1 --count 20000 --rate 20k --quiet --json --seconds 30 " + arguments;
        String script = "sysctl -qw net.ipv6.conf.default.disable_ipv6=1; ip link add v0 type veth peer name v1"
                + " && ip link set v0 up && ip link set v1 up && echo ready && exec " + generate;
        Process process = new ProcessBuilder("unshare", "-rn", "sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assumeTrue(output.startsWith("ready\n"), "no network namespace could be made");
            assertThat(process.exitValue()).isZero();
            Map<String, Object> all = new AdminOptions.Reply(200, output.substring(output.indexOf('\n'))).object();
            long received = 0;
            for (Object each : (List<?>) Objects.requireNonNull(all.get("box"))) {
                Map<?, ?> stream = (Map<?, ?>) each;
                received += number(stream, "received");
                assertThat(number(stream, "lost")).isZero();
                assertThat(number(stream, "duplicate")).isZero();
                assertThat(number(stream, "nanosP50")).isPositive();
            }
            assertThat(received).as(output).isEqualTo(20_000);
        } finally {
            process.destroyForcibly();
        }
    }
}
