package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DpdkPortTest {
    @BeforeAll
    static void dpdk() {
        Devices.assumeDpdk();
    }

    @Test
    void aDeviceThatMakesFramesGivesThemAsLongAsItIsTold() throws IOException {
        try (DpdkPort port = Devices.open("net_null0", "size=100")) {
            Burst burst = port.rx(0).burst();
            assertThat(port.rx(0).receive(burst)).isEqualTo(64);
            for (int i = 0; i < 64; i++) {
                assertThat(burst.length(i)).isEqualTo(100);
            }
            assertThat(port.rx(0).statistics().packets()).isEqualTo(64);
            assertThat(port.rx(0).statistics().bytes()).isEqualTo(6400);
            assertThat(port.link().up()).isTrue();
            assertThat(port.deviceCounters()).containsEntry("rx_good_packets", 64L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 60, 61, 64, 65, 128, 256, 512, 1024, 1514, 1518})
    void whatGoesIntoARingComesOut(int length) throws IOException {
        try (DpdkPort port = Devices.open("net_ring0")) {
            loop(port, length, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1519, 2048, 9000, 9018, 16_300})
    void longFramesPassIfTheirMemoryIsLargeEnough(int length) throws IOException {
        try (DpdkPort port = Devices.open(FrameSettings.of("net_ring0").withFrames(1024, 16_384))) {
            loop(port, length, length);
        }
    }

    private static void loop(Port port, int length, long seed) {
        Burst out = port.tx(0).burst();
        byte[][] sent = new byte[40][length];
        Random random = new Random(seed);
        for (byte[] each : sent) {
            random.nextBytes(each);
            Memory.copy(each, 0, out.room(), length);
            out.append(length);
        }
        assertThat(port.tx(0).send(out)).isZero();
        assertThat(port.tx(0).statistics().packets()).isEqualTo(40);
        assertThat(port.tx(0).statistics().bytes()).isEqualTo(40L * length);
        Burst in = port.rx(0).burst();
        assertThat(port.rx(0).receive(in)).isEqualTo(40);
        byte[] got = new byte[length];
        for (int i = 0; i < 40; i++) {
            assertThat(in.length(i)).isEqualTo(length);
            Memory.copy(in.offset(i), got, 0, length);
            assertThat(got).isEqualTo(sent[i]);
        }
        assertThat(port.rx(0).receive(in)).isZero();
    }

    @Test
    void headersAreCutOffAndPushed() throws IOException {
        try (DpdkPort port = Devices.open("net_ring0")) {
            Burst out = port.tx(0).burst();
            Memory.put64(out.room(), 0x0102030405060708L);
            out.append(64);
            port.tx(0).send(out);
            Burst in = port.rx(0).burst();
            port.rx(0).receive(in);
            in.reshape(0, in.offset(0) - 100, 164);
            Memory.put64(in.offset(0), 42);
            assertThat(out.take(in, 0)).isTrue();
            port.tx(0).send(out);
            assertThat(port.rx(0).receive(in)).isEqualTo(1);
            assertThat(in.length(0)).isEqualTo(164);
            assertThat(Memory.i64(in.offset(0))).isEqualTo(42);
            assertThat(Memory.i64(in.offset(0) + 100)).isEqualTo(0x0102030405060708L);
            in.reshape(0, in.offset(0) + 100, 64);
            assertThat(out.take(in, 0)).isTrue();
            port.tx(0).send(out);
            assertThat(port.rx(0).receive(in)).isEqualTo(1);
            assertThat(in.length(0)).isEqualTo(64);
            assertThat(Memory.i64(in.offset(0))).isEqualTo(0x0102030405060708L);
        }
    }

    @Test
    void aMillionFramesLeaveNoMemoryBehind() throws IOException {
        try (DpdkPort port = Devices.open("net_ring0")) {
            int free = port.pool().free();
            Burst out = port.tx(0).burst();
            Burst in = port.rx(0).burst();
            for (int moved = 0; moved < 1_000_000; ) {
                while (out.count() < 64) {
                    Memory.put64(out.room(), moved + out.count());
                    out.append(60);
                }
                assertThat(port.tx(0).send(out)).isZero();
                assertThat(port.rx(0).receive(in)).isEqualTo(64);
                assertThat(Memory.i64(in.offset(63))).isEqualTo(moved + 63);
                // Some go on into another burst, which is dropped without being sent.
                for (int i = 0; i < moved % 64; i++) {
                    assertThat(out.take(in, i)).isTrue();
                }
                out.clear();
                moved += 64;
            }
            in.clear();
            // One is at hand for the next room of the burst that leaves.
            assertThat(port.pool().free()).isEqualTo(free);
        }
    }

    @Test
    void whatHasNoPlaceStaysAndWhatIsLeftInsideComesBackWhenItIsClosed() throws IOException {
        DpdkPort port = Devices.open("net_ring0");
        int free = port.pool().free();
        Burst out = port.tx(0).burst();
        int sent = 0;
        do {
            while (!out.isFull()) {
                out.append(60);
                sent++;
            }
        } while (port.tx(0).send(out) == 0);
        // A ring of 1,024 places holds 1,023.
        assertThat(sent - out.count()).isEqualTo(1023);
        assertThat(port.pool().free()).isEqualTo(free - sent);
        port.close();
        int left = out.count();
        assertThat(port.tx(0).send(out)).isZero();
        assertThat(port.tx(0).statistics().drops(Drop.CLOSED)).isEqualTo(left);
        assertThat(port.rx(0).receive(port.rx(0).burst())).isZero();
        assertThat(port.pool().free()).isEqualTo(free);
    }

    @Test
    void whatIsTooLongOrTooShortIsDroppedAndTheRestGoes() throws IOException {
        try (DpdkPort port = Devices.open("net_ring0")) {
            int free = port.pool().free();
            Burst out = port.tx(0).burst();
            for (int length : new int[] {1600, 60, 61, 13, 0, 62, 2000}) {
                out.append(length);
            }
            assertThat(port.tx(0).send(out)).isZero();
            assertThat(port.tx(0).statistics().drops(Drop.TOO_LARGE)).isEqualTo(2);
            assertThat(port.tx(0).statistics().drops(Drop.OTHER)).isEqualTo(2);
            Burst in = port.rx(0).burst();
            assertThat(port.rx(0).receive(in)).isEqualTo(3);
            assertThat(in.length(0)).isEqualTo(60);
            assertThat(in.length(1)).isEqualTo(61);
            assertThat(in.length(2)).isEqualTo(62);
            in.clear();
            assertThat(port.pool().free()).isEqualTo(free);
        }
    }

    @Test
    void aDeviceOpensAgainAfterItWasClosed() throws IOException {
        for (int i = 0; i < 40; i++) {
            try (DpdkPort port = Devices.open("net_ring0")) {
                loop(port, 100, i);
            }
        }
    }

    @Test
    void framesPassBetweenPortsWithoutACopy() throws IOException {
        try (DpdkPort from = Devices.open("net_null0");
                DpdkPort to = Devices.open("net_ring0")) {
            Burst in = from.rx(0).burst();
            Burst out = to.tx(0).burst();
            from.rx(0).receive(in);
            long offset = in.offset(5);
            assertThat(out.take(in, 5)).isTrue();
            assertThat(out.offset(0)).isEqualTo(offset);
            to.tx(0).send(out);
            Burst arrived = to.rx(0).burst();
            assertThat(to.rx(0).receive(arrived)).isEqualTo(1);
            assertThat(arrived.offset(0)).isEqualTo(offset);
        }
    }

    @Test
    void whatCannotBeOpenedSaysWhyInOneLine() {
        assertThatThrownBy(() -> Devices.open("net_nothing0"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("dpdk:net_nothing0 cannot be opened: ")
                .message()
                .doesNotContain("\n");
        assertThatThrownBy(() -> Devices.open("net_af_packet0", "iface=absent0"))
                .isInstanceOf(IOException.class)
                .message()
                .as("there is no such interface, or nobody without CAP_NET_RAW may look")
                .containsAnyOf("net_af_packet0: ioctl failed", "Could not open AF_PACKET socket");
        assertThatThrownBy(() -> Devices.open("net_null0", "rx-descriptors=x"))
                .isInstanceOf(IOException.class)
                .hasMessage("dpdk:net_null0: rx-descriptors is \"x\"; it must be a number, 16 to 32768");
        assertThatThrownBy(() -> Devices.open(FrameSettings.of("net_ring0").withQueues(17)))
                .isInstanceOf(IOException.class)
                .hasMessage("dpdk:net_ring0: 17 queues; the device has 16");
        assertThatThrownBy(() -> FramePortOpener.open("dpdk:net_null0,eal-memory=100"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("starts only once");
        assertThatThrownBy(() -> FramePortOpener.open("dpdk:net_null0,eal-sound=on"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("dpdk:net_null0: no option \"eal-sound\"; there are eal-allow");
    }
}
