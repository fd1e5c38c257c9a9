package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Capabilities;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be opened says in one line why, and what to do. */
class XdpRefusalTest {
    private static AbstractThrowableAssert<?, ?> refused(XdpTestWire wire, String name) {
        AbstractThrowableAssert<?, ?> refused =
                assertThatThrownBy(() -> wire.inLeft(() -> FramePortOpener.open(name))).isInstanceOf(IOException.class);
        refused.message().startsWith(name.split(",", 2)[0]).doesNotContain("\n");
        return refused;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mode=fast               | mode is \"fast\"; it must be auto or native or generic",
        "speed=1                 | no option \"speed\"; there are busy-poll, busy-poll-frames, checksums, copy",
        "ring=100                | ring is 100; it must be a power of two",
        "ring=32                 | ring is \"32\"; it must be a number, 64 to 65536",
        "ring=many               | ring is \"many\"; it must be a number, 64 to 65536",
        "copy=maybe              | copy is \"maybe\"; it must be true or false",
        "redirect=some           | redirect is \"some\"; it must be all, or terms joined by +",
        "redirect=udp:0          | redirect=udp:0 is no port number; it must be 1 to 65535",
        "redirect=udp:5001+65536 | redirect=udp:65536 is no port number",
        "redirect=udp:           | redirect=udp: is no port number",
        "redirect=address:host   | redirect=address:host is no IP address",
        "frame-bytes=8192        | frame-bytes is 8192; AF_XDP takes 2048 or 4096",
        "queues=2                | the device has no queue 1 in both directions",
        "first-queue=1           | the device has no queue 1 in both directions",
    })
    void optionsThatAreWrong(String option, String message) {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            refused(wire, "xdp:left," + option).hasMessageContaining(message);
        }
    }

    @Test
    void tooManyTermsForAProgram() {
        assertThatThrownBy(() -> XdpRedirect.read("udp:1" + "+2".repeat(64), "xdp:left"))
                .hasMessage("xdp:left: redirect has 65 terms; 64 are the most");
    }

    @Test
    void anInterfaceThatIsNotThere() {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            refused(wire, "xdp:none").hasMessageContaining("no interface \"none\"");
        }
    }

    @Test
    void anInterfaceWithoutANativeMode() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            wire.leftRun("ip", "link", "set", "dev", "lo", "mtu", "1500");
            refused(wire, "xdp:lo,mode=native").hasMessageContaining("its driver has no native mode; choose mode=generic");
        }
    }

    @Test
    void anInterfaceThatHasAProgramAlready() throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=native"))) {
            assertThat(port.queues()).isEqualTo(1);
            for (String mode : new String[] {"auto", "native", "generic"}) {
                refused(wire, "xdp:left,mode=" + mode).hasMessageContaining("another XDP program is on it");
            }
        }
    }

    @Test
    void anMtuThatDoesNotFitAPiece() {
        try (XdpTestWire wire = XdpTestWire.open(3000, 1)) {
            refused(wire, "xdp:left")
                    .hasMessageContaining("its MTU is 3000, and frame-bytes=2048 takes 1774; set frame-bytes=4096, or a"
                            + " smaller MTU (ip link set dev left mtu 1774), or oversize=drop to lose longer frames");
        }
    }

    /** No size of frames takes it, and none is advised: the whole frame must be in one piece. */
    @ParameterizedTest
    @CsvSource({"2048, 1774", "4096, 3822"})
    void anMtuOfJumboFrames(int frameBytes, int mtuMax) {
        try (XdpTestWire wire = XdpTestWire.open(9000, 1)) {
            refused(wire, "xdp:left,frame-bytes=" + frameBytes)
                    .hasMessageEndingWith("its MTU is 9000, and frame-bytes=" + frameBytes + " takes " + mtuMax + "; set a smaller MTU"
                            + " (ip link set dev left mtu " + mtuMax + "), or oversize=drop to lose longer frames");
            refused(wire, "xdp:left,mode=native,oversize=drop,frame-bytes=" + frameBytes)
                    .hasMessageContaining("its MTU, or its peer's, is too large for the native mode; set a smaller one");
        }
    }

    @Test
    void anMtuThatDoesNotFitTheLargestPiece() {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            refused(wire, "xdp:lo")
                    .hasMessageContaining("its MTU is 65536, and frame-bytes=2048 takes 1774; set a smaller MTU");
        }
    }

    @Test
    void moreTransmitQueuesOverThereThanReceiveQueuesHere() {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1, 2)) {
            refused(wire, "xdp:left,mode=native").hasMessageContaining("more transmit queues");
        }
    }

    /** Capabilities are each thread's own: the one that opens here gives its up. */
    @Test
    void aUserWhoMayNot() {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1)) {
            assertThatThrownBy(() -> wire.inLeft(() -> {
                        Capabilities.drop();
                        return FramePortOpener.open("xdp:left");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("xdp:left: the kernel does not take a map of sockets: not permitted; run it as root")
                    .hasMessageContaining("CAP_BPF, CAP_NET_ADMIN and CAP_NET_RAW");
        }
    }
}
