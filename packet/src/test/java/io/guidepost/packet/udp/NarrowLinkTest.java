package io.guidepost.packet.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links that loopback is not: narrow, slow, with a link-local address; each in a network namespace of its own. */
class NarrowLinkTest {
    private static final int CANNOT_PREPARE = 99;

    @ParameterizedTest
    @CsvSource({
        "narrow, ip link set lo mtu 1280 up",
        "link-local, ip link set lo up && ip addr add fe80::1/64 dev lo nodad",
        "slow, ip link set lo up && tc qdisc add dev lo root tbf rate 1mbit burst 4k latency 5000ms"
    })
    void scene(String name, String preparation) throws IOException, InterruptedException {
        Machine.assumeLinux();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String script = "(" + preparation + ") || exit " + CANNOT_PREPARE + "\n"
                + "exec \"$0\" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \"$1\""
                + " io.guidepost.packet.udp.NarrowLink \"$2\"";
        Process process = start("unshare", "-rn", "sh", "-c", script, java, System.getProperty("java.class.path"), name);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            boolean prepared = process.exitValue() != CANNOT_PREPARE && !output.startsWith("unshare:");
            assumeTrue(prepared, "no network namespace could be made: " + output);
            assertThat(output).contains("done: " + name);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no program unshare here: " + e.getMessage());
            throw e;
        }
    }
}
