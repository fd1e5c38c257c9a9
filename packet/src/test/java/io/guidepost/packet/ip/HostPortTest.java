package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostPortTest {
    private static final InterfaceAddress LEFT = InterfaceAddress.parse("10.0.0.2/24");
    private static final int PORT = 5001;
    private static final long ALLOCATED_BYTES_MAX = 16 * 1024;

    /** An ARP request of 10.0.0.1 for 10.0.0.2, and the first frame of a TCP connection to it. */
    private static final String ARP =
            "ffffffffffff02000000000b0806000108000604000102000000000b0a0000010000000000000a000002";

    private static final String TCP = "02000000000a02000000000b080045000028000040004006"
            + "26ce0a0000010a0000021f9000500000000100000000500220000000" + "0000";

    private static void send(Port port, String hex) {
        byte[] frame = HexFormat.of().parseHex(hex);
        Burst burst = port.tx(0).burst();
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
        assertThat(port.tx(0).send(burst)).isZero();
    }

    private static String received(Port port) {
        Burst burst = port.rx(0).burst();
        int number = port.rx(0).receive(burst);
        if (number == 0) {
            return "nothing";
        }
        byte[] frame = new byte[burst.length(0)];
        Memory.copy(burst.offset(0), frame, 0, frame.length);
        burst.clear();
        return HexFormat.of().formatHex(frame);
    }

    @Test
    void whatIsNotForTheHostGoesToTheExceptionPortAndComesBack() {
        FramePool pool = new FramePool(1024, 2048, 256);
        try (MemoryLink wire = new MemoryLink(FrameSettings.of("wire").withPool(pool));
                MemoryLink tap = new MemoryLink(FrameSettings.of("tap").withPool(pool));
                HostPort host = new HostPort(wire.left(), HostPortSettings.of(PORT, LEFT).withException(tap.left()))) {
            Burst in = host.rx(0).burst();
            send(wire.right(), TCP);
            send(wire.right(), ARP);
            assertThat(host.rx(0).receive(in)).isZero();
            assertThat(received(tap.right())).as("TCP").isEqualTo(TCP);
            assertThat(received(tap.right())).as("ARP for us is not passed").isEqualTo("nothing");
            assertThat(received(wire.right())).as("but answered").startsWith("02000000000b02000000000a0806");
            send(tap.right(), TCP);
            host.rx(0).receive(in);
            assertThat(received(wire.right())).isEqualTo(TCP);
            assertThat(host.count(InterfaceCount.PASSED) + host.count(InterfaceCount.RETURNED)).isEqualTo(2);
            assertThat(host.rx(0).statistics().drops(Drop.NOT_OURS)).isZero();
        }
    }

    @Test
    void whoDoesNotAnswerIsAskedThreeTimesAndGivenUp() {
        try (HostStand stand = HostStand.answering()) {
            for (int i = 0; i < PendingNeighbourQueue.PER_HOP_MAX + 1; i++) {
                stand.tell(HostStand.address("10.0.0.9"), "hello");
            }
            assertThat(stand.host.tx(0).statistics().drops(Drop.UNREACHABLE)).as("some wait, no more").isEqualTo(1);
            int asked = stand.received().size();
            for (int tenths = 0; tenths < 60; tenths++) {
                stand.nanos += 100_000_000;
                asked += stand.turn().size();
            }
            assertThat(asked).isBetween(3, 4);
            long all = PendingNeighbourQueue.PER_HOP_MAX + 1;
            assertThat(stand.host.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(all);
            assertThat(stand.host.count(InterfaceCount.NEIGHBOUR_MISSING)).isEqualTo(all);
            assertThat(stand.host.tx(0).statistics().packets()).isZero();
        }
    }

    /** The newest of those that wait leave, in their order; for other neighbours there is room too. */
    @Test
    void whatWaitsForANeighbourLeavesInItsOrder() {
        int more = PendingNeighbourQueue.PER_HOP_MAX + 3;
        try (HostStand stand = HostStand.answering()) {
            for (int i = 0; i < more; i++) {
                stand.tell(HostStand.address("10.0.0.9"), "hello " + (char) ('a' + i));
            }
            stand.tell(HostStand.address("10.0.0.8"), "other");
            assertThat(stand.received()).as("requests").hasSize(2);
            stand.send(HexFormat.of().parseHex(
                    "02000000000a020000000009080600010800060400020200000000090a00000902000000000a0a000002"));
            List<byte[]> left = stand.turn();
            assertThat(left).extracting(frame -> (char) frame[frame.length - 1]).containsExactlyElementsOf(
                    IntStream.range(3, more).mapToObj(i -> (char) ('a' + i)).toList());
            assertThat(left).allSatisfy(frame -> assertThat(frame[5]).isEqualTo((byte) 9));
            assertThat(stand.host.tx(0).statistics().packets()).isEqualTo(left.size());
            assertThat(stand.host.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(3);
        }
    }

    @Test
    void aFloodToUnknownNeighboursIsBounded() {
        try (HostStand stand = HostStand.answering()) {
            for (int i = 0; i < 200; i++) {
                stand.tell(HostStand.address("10.0.0." + (10 + i)), "hello");
            }
            assertThat(stand.host.count(InterfaceCount.NEIGHBOUR_AWAITED)).isEqualTo(200);
            assertThat(stand.host.tx(0).statistics().drops(Drop.UNREACHABLE))
                    .isEqualTo(200 - PendingNeighbourQueue.FRAMES_MAX);
        }
    }

    @Test
    void thereIsNoWayWithoutARouter() {
        try (HostStand stand = HostStand.answering()) {
            stand.tell(HostStand.address("2001:db9::1"), "hello");
            stand.tell(HostStand.address("224.0.0.1"), "hello");
            assertThat(stand.host.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
            assertThat(stand.host.tx(0).statistics().drops(Drop.REFUSED)).isEqualTo(1);
            assertThat(stand.received()).isEmpty();
        }
    }

    @Test
    void unreachablePortsAreToldAHundredTimesInASecond() {
        byte[] other = HexFormat.of().parseHex("02000000000a02000000000b08004500002400004000401126c7"
                + "0a0000010a0000029c400009001094c17175657374696f6e");
        try (HostStand stand = HostStand.answering()) {
            stand.nanos = 5_000_000_000L;
            int told = 0;
            for (int i = 0; i < 150; i++) {
                stand.send(other);
                told += stand.turn().size();
            }
            assertThat(told).isEqualTo(100);
            assertThat(stand.host.count(InterfaceCount.UNREACHABLE_WITHHELD)).isEqualTo(50);
            stand.nanos += 1_000_000_000L;
            stand.send(other);
            assertThat(stand.turn()).hasSize(1);
        }
    }

    @Test
    void roomsAreNotLongerThanTheLinkTakes() {
        try (MemoryLink link = new MemoryLink(FrameSettings.of("test"));
                HostPort four = new HostPort(link.left(), HostPortSettings.of(PORT, LEFT));
                HostPort six = new HostPort(link.right(), HostPortSettings.of(PORT, InterfaceAddress.parse("fd00::1/64")))) {
            assertThat(four.tx(0).burst().roomBytes()).isEqualTo(link.left().frameBytesMax() - 66);
            assertThat(six.tx(0).burst().roomBytes()).isEqualTo(link.right().frameBytesMax() - 66);
        }
    }

    /** Two hosts, one asks and one answers; what the link has no place for leaves later, with its headers put once. */
    @Test
    void whatTheLinkHasNoPlaceForLeavesLater() {
        try (TwoHosts two = new TwoHosts()) {
            int asked = 0;
            while (two.ask(64) == 0) {
                asked += 64;
            }
            asked += 64;
            assertThat(asked).isGreaterThan(1024);
            int answered = 0;
            for (int turn = 0; turn < 200; turn++) {
                two.responder.work(0);
                two.tx.send(two.out);
                answered += two.rx.receive(two.in);
                for (int i = 0; i < two.in.count(); i++) {
                    assertThat(two.in.length(i)).isEqualTo(40);
                }
            }
            assertThat(answered).isEqualTo(asked);
        }
    }

    @Test
    void aQuarterOfAMillionAnswersAllocateNothing() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-XX:+UseSerialGC", 
                        "-cp", System.getProperty("java.class.path"), TwoHosts.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(said).startsWith("checked false, bytes ");
        assertThat(Long.parseLong(said.substring(said.lastIndexOf(' ') + 1))).isLessThan(ALLOCATED_BYTES_MAX);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> InterfaceAddress.parse("10.0.0.2/33")).hasMessageContaining("0 to 32");
        assertThatThrownBy(() -> InterfaceAddress.parse("224.0.0.1/4")).hasMessageContaining("not an address that a host");
        assertThatThrownBy(() -> InterfaceAddress.parse("10.0.0.2/x")).hasMessageContaining("10.0.0.2/24");
        assertThatThrownBy(() -> HostPortSettings.of(0, LEFT)).hasMessageContaining("udpPort is 0");
        assertThatThrownBy(() -> HostPort.parseMac("02:00")).hasMessageContaining("02:00:00:00:00:01");
        assertThat(HostPort.printMac(HostPort.parseMac("02:00:00:0A:00:01"))).isEqualTo("02:00:00:0a:00:01");
        assertThat(InterfaceAddress.parse("2001:db8::1/61").isOnLink(0x2001_0db8_0000_0007L, 5)).isTrue();
        assertThat(InterfaceAddress.parse("2001:db8::1/61").isOnLink(0x2001_0db8_0000_0008L, 5)).isFalse();
        assertThat(InterfaceAddress.parse("10.0.0.2/31").isOnLink(0, Addresses.ipv4Low(0x0a000003))).isTrue();
        assertThat(InterfaceAddress.parse("10.0.0.2/31").isOnLink(0, Addresses.ipv4Low(0x0a000004))).isFalse();
    }
}
