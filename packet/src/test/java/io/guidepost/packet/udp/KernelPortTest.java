package io.guidepost.packet.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Machine;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortStage;
import io.guidepost.packet.TestPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only sockets of the Linux kernel can do. */
class KernelPortTest {
    @BeforeAll
    static void needsLinux() {
        Machine.assumeLinux();
    }

    private static Port open(String address, SegmentationOffload trains) throws IOException {
        return UdpPorts.open(UdpSettings.of(new InetSocketAddress(PortStage.address(address), 0))
                .withBackEnd(UdpBackEnd.KERNEL)
                .withSegmentationOffload(trains));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.2, 127.0.0.1, OFF",
        "0.0.0.0, 127.0.0.2, 127.0.0.1, ON",
        "::, ::1, ::1, OFF",
        "::, 127.0.0.2, 127.0.0.1, OFF",
        "::, 127.0.0.2, 127.0.0.1, ON"
    })
    void anAnswerLeavesFromTheAddressThatWasAsked(String bound, String asked, String from, SegmentationOffload trains)
            throws IOException {
        try (Port server = open(bound, trains);
                Port client = open(from, trains)) {
            TestPeer answering = new TestPeer(server);
            TestPeer asking = new TestPeer(client);
            InetSocketAddress to =
                    new InetSocketAddress(PortStage.address(asked), server.localAddress().getPort());
            for (int i = 0; i < 3; i++) {
                asking.append(TestPeer.pattern(100, i), to);
            }
            asking.flush();
            List<TestPeer.Datagram> questions = new ArrayList<>();
            List<TestPeer.Datagram> answers = new ArrayList<>();
            Eventually.await("three questions answered", () -> {
                questions.addAll(answering.receiveNow());
                answering.echo();
                answers.addAll(asking.receiveNow());
                return answers.size() == 3;
            });
            assertThat(questions).allSatisfy(it -> {
                assertThat(it.localHigh()).isEqualTo(Addresses.high(to.getAddress()));
                assertThat(it.localLow()).isEqualTo(Addresses.low(to.getAddress()));
            });
            assertThat(answers).allSatisfy(it -> assertThat(it.peer()).isEqualTo(to));
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 64", "127.0.0.1, 5", "::1, 64", "::1, 1"})
    void aTrainIsSplitWhateverTheBurst(String address, int burstMax) throws IOException {
        InetSocketAddress local = new InetSocketAddress(PortStage.address(address), 0);
        try (Port server = UdpPorts.open(UdpSettings.of(local).withSegmentationOffload(SegmentationOffload.ON).withBurstMax(burstMax));
                Port client = open(address, SegmentationOffload.ON)) {
            TestPeer answering = new TestPeer(server);
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 31; i++) {
                asking.append(TestPeer.pattern(i == 30 ? 77 : 1_400, i), server.localAddress());
            }
            assertThat(asking.flush()).isZero();
            List<TestPeer.Datagram> questions = answering.receive(31);
            for (int i = 0; i < 31; i++) {
                assertThat(questions.get(i).bytes()).isEqualTo(TestPeer.pattern(i == 30 ? 77 : 1_400, i));
                assertThat(questions.get(i).peer()).isEqualTo(client.localAddress());
            }
            assertThat(client.tx(0).statistics().aggregates()).isEqualTo(1);
            assertThat(client.tx(0).statistics().packets()).isEqualTo(31);
            assertThat(server.rx(0).statistics().aggregates()).isEqualTo(1);
            assertThat(server.rx(0).statistics().packets()).isEqualTo(31);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aTrainReachesOneWhoTakesNone(String address) throws IOException {
        try (Port server = open(address, SegmentationOffload.OFF);
                Port client = open(address, SegmentationOffload.ON)) {
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 64; i++) {
                asking.append(TestPeer.pattern(60, i), server.localAddress());
            }
            assertThat(asking.flush()).isZero();
            List<TestPeer.Datagram> questions = new TestPeer(server).receive(64);
            for (int i = 0; i < 64; i++) {
                assertThat(questions.get(i).bytes()).isEqualTo(TestPeer.pattern(60, i));
            }
            assertThat(server.rx(0).statistics().aggregates()).isZero();
        }
    }

    @Test
    void severalQueuesShareAnAddressAndNobodyElseDoes() throws IOException {
        UdpSettings settings = UdpSettings.of(new InetSocketAddress(PortStage.address("127.0.0.1"), 0))
                .withBackEnd(UdpBackEnd.KERNEL)
                .withQueues(2);
        try (Port server = UdpPorts.open(settings)) {
            List<TestPeer> queues = List.of(new TestPeer(server, 0), new TestPeer(server, 1));
            int[] taken = new int[2];
            for (int i = 0; i < 64; i++) {
                try (Port client = open("127.0.0.1", SegmentationOffload.OFF)) {
                    new TestPeer(client).send(TestPeer.pattern(8, i), server.localAddress());
                }
            }
            Eventually.await("64 datagrams in two queues", () -> {
                taken[0] += queues.get(0).receiveNow().size();
                taken[1] += queues.get(1).receiveNow().size();
                return taken[0] + taken[1] == 64;
            });
            // 64 senders fall into one of two queues with a chance of one in 2^63.
            assertThat(taken).doesNotContain(0);
            UdpSettings same = UdpSettings.of(server.localAddress()).withQueues(2).withBackEnd(UdpBackEnd.KERNEL);
            assertThatThrownBy(() -> UdpPorts.open(same)).hasMessageContaining("in use");
        }
    }

    @Test
    void anAddressThatIsNotOursIsRefusedWithAdvice() {
        InetSocketAddress foreign = new InetSocketAddress(PortStage.address("192.0.2.1"), 5000);
        assertThatThrownBy(() -> UdpPorts.open(UdpSettings.of(foreign).withBackEnd(UdpBackEnd.KERNEL)))
                .isInstanceOf(IOException.class)
                .hasMessage("UDP 192.0.2.1:5000 cannot be opened: not an address of this machine; choose an address"
                        + " that this machine has (ip address shows them), or 0.0.0.0 or [::] for all");
    }

    @Test
    void whatTheKernelHadNoPlaceForIsCounted() throws IOException {
        InetSocketAddress local = new InetSocketAddress(PortStage.address("127.0.0.1"), 0);
        try (Port server = UdpPorts.open(UdpSettings.of(local).withBuffers(1, 1 << 20));
                Port client = open("127.0.0.1", SegmentationOffload.OFF)) {
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 50; i++) {
                asking.send(TestPeer.pattern(1_000, i), server.localAddress());
            }
            int[] received = new int[1];
            TestPeer asked = new TestPeer(server);
            Eventually.await("every datagram is received or counted", () -> {
                received[0] += asked.receiveNow().size();
                return received[0] + asked.sum(Drop.OVERFLOW) == 50;
            });
            assertThat(asked.sum(Drop.OVERFLOW)).isPositive();
        }
    }

    @Test
    void aBurstThatIsFullSaysSo() throws IOException {
        try (Port port = open("127.0.0.1", SegmentationOffload.OFF)) {
            Burst burst = port.tx(0).burst();
            for (int i = 0; i < burst.capacity(); i++) {
                assertThat(burst.room()).isNotEqualTo(Burst.NO_ROOM);
                burst.append(10, 0, 0, 1);
            }
            assertThat(burst.room()).isEqualTo(Burst.NO_ROOM);
            assertThatThrownBy(() -> burst.append(10, 0, 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("64");
            burst.clear();
            assertThatThrownBy(() -> burst.append(burst.roomBytes() + 1, 0, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
