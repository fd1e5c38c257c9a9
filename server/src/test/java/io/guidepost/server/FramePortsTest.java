package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.AddressText;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.config.ConfigurationException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server on a network interface answers clients on sockets of another kernel namespace. */
class FramePortsTest {
    @TempDir
    private Path folder;

    private static void putAndGet(TwoNamespaces two, String... addresses) throws Exception {
        List<CommandRun> ran = two.guidepost(Arrays.stream(addresses)
                .flatMap(at -> Stream.of("put printer 10.1.2.3:4444 -S " + at, "get printer -S " + at))
                .toArray(String[]::new));
        assertThat(ran).as("commands that went well").allMatch(each -> each.code() == 0);
        for (int i = 1; i < ran.size(); i += 2) {
            assertThat(ran.get(i).out()).startsWith("10.1.2.3:4444");
        }
    }

    private static double metric(TwoNamespaces two, String sample) throws Exception {
        String page = two.far("curl -s http://127.0.0.1:5080/metrics").output();
        return page.lines()
                .filter(each -> each.startsWith(sample))
                .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The kernel's address: only the one UDP port is taken from it, and sockets answer beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void xdpSharesTheAddressOfTheKernel(String mode) throws Exception {
        assumeTrue(TwoNamespaces.has("curl"), "there is no curl here");
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            two.serve("xdp:gpfar,mode=" + mode);
            putAndGet(two, "10.77.0.2", "[fd77::2]");
            assertThat(metric(two, "guidepost_port_packets_total{port=\"host:xdp"))
                    .as("datagrams in and out on the fast path")
                    .isGreaterThanOrEqualTo(8);
            assertThat(metric(two, "guidepost_port_packets_total{port=\"udp:"))
                    .as("datagrams on the kernel's sockets")
                    .isZero();
            assertThat(two.far("curl -s http://127.0.0.1:5080/live").output()).contains("true");
            two.pings("10.77.0.2");
            assumeTrue(TwoNamespaces.has("python3"), "there is no python3 here, for a web server of the kernel's TCP");
            two.start("python3 -u -m http.server 8080 --bind 10.77.0.2 --directory " + folder, "Serving");
            assertThat(two.near("curl -s --max-time 10 http://10.77.0.2:8080/").output()).contains("Directory listing");
        }
    }

    /** DPDK has taken the device from the kernel: what is not for the server reaches the kernel by a TAP device. */
    @Test
    void theKernelLivesOnBehindATapDevice() throws Exception {
        assumeTrue(TwoNamespaces.has("python3") && TwoNamespaces.has("curl"), "needs python3 and curl");
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            two.far("ip addr flush dev gpfar");
            // The packet port stands for a device of DPDK, as the kernel has no address on it any more.
            two.serve("packet:gpfar,address=10.77.0.2/24,exception-tap=gptap,exception-address=10.77.0.2/24", "gnrs.listen=");
            putAndGet(two, "10.77.0.2");
            two.start("python3 -u -m http.server 8080 --bind 10.77.0.2 --directory " + folder, "Serving");
            TwoNamespaces.Ran page = two.near("curl -s --max-time 10 http://10.77.0.2:8080/");
            assertThat(page.output()).contains("Directory listing");
            assertThat(metric(two, "guidepost_device_counter_total{port=\"host:packet:gpfar\",name=\"returned\"}"))
                    .isPositive();
        }
    }

    @Test
    void whatIsMissingIsSaidInOneLine() {
        for (String[] each : new String[][] {
            {"xdp:nowhere0", "there is no network interface nowhere0"},
            {"packet:lo", "needs an address of its own"},
            {"memory:x,address=10.0.0.300/24", "10.0.0.300"},
            {"memory:x,address=10.0.0.2/24,station=01:00:5e:00:00:01", "not the Ethernet address of one station"},
            {"memory", "write KIND:DEVICE"}
        }) {
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> RunningServer.start(folder, "packet.ports=" + each[0]))
                    .isInstanceOfAny(java.io.IOException.class, ConfigurationException.class)
                    .hasMessageContaining(each[1])
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void socketsAndFramePortsAreServedByTheSameWorkers() throws Exception {
        try (RunningServer server =
                RunningServer.start(folder, "packet.ports=memory:a,address=10.0.0.2/24;memory:b,address=fd00::2/64")) {
            assertThat(server.server().gnrsAddresses().stream().map(AddressText::of))
                    .hasSize(3)
                    .anyMatch(each -> each.startsWith("10.0.0.2:"))
                    .anyMatch(each -> each.startsWith("[fd00::2]:"));
            assertThat(server.page("/metrics"))
                    .contains("guidepost_port_packets_total{port=\"memory:a-a\",queue=\"0\",direction=\"in\"}")
                    .contains("name=\"arp_answered\"}");
        }
    }
}
