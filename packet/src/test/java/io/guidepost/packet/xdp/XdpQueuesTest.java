package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A device spreads its frames over two queues: none of them passes by a port unless its name says so. */
class XdpQueuesTest {
    private static final int DATAGRAMS = 64;

    /** Sends datagrams of as many flows to a UDP port that no program has. */
    private static void send(XdpTestWire wire) throws IOException {
        for (int i = 0; i < DATAGRAMS; i++) {
            try (DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
                socket.send(new DatagramPacket(new byte[100], 100, new InetSocketAddress(XdpTestWire.LEFT_IP, 9)));
            }
        }
    }

    private static void quiet(XdpTestWire wire) throws IOException {
        wire.leftRun("sysctl", "-qw", "net.ipv6.conf.left.disable_ipv6=1");
        wire.rightRun("sysctl", "-qw", "net.ipv6.conf.right.disable_ipv6=1");
        neighbours(wire.leftRun("cat", "/sys/class/net/left/address"), XdpTestWire.LEFT_IP, "right", wire::rightRun);
        neighbours(wire.rightRun("cat", "/sys/class/net/right/address"), XdpTestWire.RIGHT_IP, "left", wire::leftRun);
    }

    /** Runs a command in a namespace. */
    private interface Shell {
        String run(String... command) throws IOException;
    }

    private static void neighbours(String mac, String address, String device, Shell shell) throws IOException {
        shell.run("ip", "neigh", "replace", address, "lladdr", mac.strip(), "dev", device, "nud", "permanent");
    }

    /** In generic mode frames of the peer's queues 0 and 1 come on queue 0 and those of queue 2 on queue 1. */
    @ParameterizedTest
    @CsvSource({"native, 2", "generic, 3"})
    void aPortTakesAllQueues(String mode, int peerQueues) throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 2, peerQueues)) {
            quiet(wire);
            try (Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=" + mode))) {
                assertThat(port.queues()).isEqualTo(2);
                assertThat(port.bypass()).isEmpty();
                send(wire);
                Burst[] bursts = {port.rx(0).burst(), port.rx(1).burst()};
                Eventually.await("all datagrams", () -> {
                    port.rx(0).receive(bursts[0]);
                    port.rx(1).receive(bursts[1]);
                    return port.rx(0).statistics().packets() + port.rx(1).statistics().packets() == DATAGRAMS;
                });
                assertThat(port.rx(0).statistics().packets()).isBetween(1L, DATAGRAMS - 1L);
                assertThat(port.deviceCounters()).containsEntry("xdp_passed", 0L);
            }
        }
    }

    @Test
    void aPortThatTakesFewerSaysWhatBecomesOfTheRest() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 2)) {
            quiet(wire);
            for (String fewer : new String[] {"queues=1", "first-queue=1", "queues=1,redirect=udp:9"}) {
                assertThatThrownBy(() -> wire.inLeft(() -> FramePortOpener.open("xdp:left," + fewer)))
                        .isInstanceOf(IOException.class)
                        .hasMessage("xdp:left: the device has 2 queues, and queues=1 leaves frames of 1 of them out; leave queues="
                                + " and first-queue= out to take all, or say what becomes of those frames: rest=drop, or rest=kernel,"
                                + " which may forward them");
            }
            assertThat(counted(wire, "xdp:left,queues=1,rest=drop", "")).containsEntry("xdp_passed", 0L)
                    .hasEntrySatisfying("xdp_dropped", number -> assertThat(number).isBetween(1L, DATAGRAMS - 1L));
            assertThat(counted(wire, "xdp:left,queues=1,rest=kernel", "the kernel gets the frames of 1 of 2 queues (rest=kernel)"))
                    .containsEntry("xdp_dropped", 0L)
                    .hasEntrySatisfying("xdp_passed", number -> assertThat(number).isBetween(1L, DATAGRAMS - 1L));
            assertThat(counted(wire, "xdp:left,redirect=udp:53", "the kernel gets other frames (redirect= is not all)"))
                    .containsEntry("xdp_passed", (long) DATAGRAMS);
        }
    }

    private static Map<String, Long> counted(XdpTestWire wire, String name, String bypass) throws IOException {
        try (Port port = wire.inLeft(() -> FramePortOpener.open(name))) {
            assertThat(port.bypass().orElse("")).isEqualTo(bypass);
            send(wire);
            Eventually.await("all to be counted", () -> {
                Map<String, Long> counters = port.deviceCounters();
                return Stream.of("xdp_passed", "xdp_dropped", "xdp_redirected").mapToLong(each -> counters.getOrDefault(each, 0L)).sum()
                        == DATAGRAMS;
            });
            return port.deviceCounters();
        }
    }
}
