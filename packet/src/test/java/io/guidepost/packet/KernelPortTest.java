package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
        assumeTrue(SystemCall.AVAILABLE, "the kernel back end is for Linux on x86-64 and aarch64");
    }

    private static Port open(String address, Trains trains) throws IOException {
        return Udp.open(UdpSettings.of(new InetSocketAddress(Stage.address(address), 0))
                .withBackEnd(BackEnd.KERNEL)
                .withTrains(trains));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.2, 127.0.0.1, OFF",
        "0.0.0.0, 127.0.0.2, 127.0.0.1, ON",
        "::, ::1, ::1, OFF",
        "::, 127.0.0.2, 127.0.0.1, OFF",
        "::, 127.0.0.2, 127.0.0.1, ON"
    })
    void anAnswerLeavesFromTheAddressThatWasAsked(String bound, String asked, String from, Trains trains)
            throws IOException {
        try (Port server = open(bound, trains);
                Port client = open(from, trains)) {
            Peer answering = new Peer(server);
            Peer asking = new Peer(client);
            InetSocketAddress to =
                    new InetSocketAddress(Stage.address(asked), server.localAddress().getPort());
            for (int i = 0; i < 3; i++) {
                asking.append(Peer.pattern(100, i), to);
            }
            asking.flush();
            List<Peer.Datagram> questions = new ArrayList<>();
            List<Peer.Datagram> answers = new ArrayList<>();
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
        InetSocketAddress local = new InetSocketAddress(Stage.address(address), 0);
        try (Port server = Udp.open(UdpSettings.of(local).withTrains(Trains.ON).withBurstMax(burstMax));
                Port client = open(address, Trains.ON)) {
            Peer answering = new Peer(server);
            Peer asking = new Peer(client);
            for (int i = 0; i < 31; i++) {
                asking.append(Peer.pattern(i == 30 ? 77 : 1_400, i), server.localAddress());
            }
            assertThat(asking.flush()).isZero();
            List<Peer.Datagram> questions = answering.receive(31);
            for (int i = 0; i < 31; i++) {
                assertThat(questions.get(i).bytes()).isEqualTo(Peer.pattern(i == 30 ? 77 : 1_400, i));
                assertThat(questions.get(i).peer()).isEqualTo(client.localAddress());
            }
            assertThat(client.tx(0).statistics().trains()).isEqualTo(1);
            assertThat(client.tx(0).statistics().packets()).isEqualTo(31);
            assertThat(server.rx(0).statistics().trains()).isEqualTo(1);
            assertThat(server.rx(0).statistics().packets()).isEqualTo(31);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aTrainReachesOneWhoTakesNone(String address) throws IOException {
        try (Port server = open(address, Trains.OFF);
                Port client = open(address, Trains.ON)) {
            Peer asking = new Peer(client);
            for (int i = 0; i < 64; i++) {
                asking.append(Peer.pattern(60, i), server.localAddress());
            }
            assertThat(asking.flush()).isZero();
            List<Peer.Datagram> questions = new Peer(server).receive(64);
            for (int i = 0; i < 64; i++) {
                assertThat(questions.get(i).bytes()).isEqualTo(Peer.pattern(60, i));
            }
            assertThat(server.rx(0).statistics().trains()).isZero();
        }
    }

    @Test
    void severalQueuesShareAnAddressAndNobodyElseDoes() throws IOException {
        UdpSettings settings = UdpSettings.of(new InetSocketAddress(Stage.address("127.0.0.1"), 0))
                .withBackEnd(BackEnd.KERNEL)
                .withQueues(2);
        try (Port server = Udp.open(settings)) {
            List<Peer> queues = List.of(new Peer(server, 0), new Peer(server, 1));
            int[] taken = new int[2];
            for (int i = 0; i < 64; i++) {
                try (Port client = open("127.0.0.1", Trains.OFF)) {
                    new Peer(client).send(Peer.pattern(8, i), server.localAddress());
                }
            }
            Eventually.await("64 datagrams in two queues", () -> {
                taken[0] += queues.get(0).receiveNow().size();
                taken[1] += queues.get(1).receiveNow().size();
                return taken[0] + taken[1] == 64;
            });
            // 64 senders fall into one of two queues with a chance of one in 2^63.
            assertThat(taken).doesNotContain(0);
            UdpSettings same = new UdpSettings(
                    server.localAddress(), 2, BackEnd.KERNEL, Trains.AUTO, 64, 2048, 1 << 20, 1 << 20);
            assertThatThrownBy(() -> Udp.open(same)).hasMessageContaining("in use");
        }
    }

    @Test
    void anAddressThatIsNotOursIsRefusedWithAdvice() {
        InetSocketAddress foreign = new InetSocketAddress(Stage.address("192.0.2.1"), 5000);
        assertThatThrownBy(() -> Udp.open(UdpSettings.of(foreign).withBackEnd(BackEnd.KERNEL)))
                .isInstanceOf(IOException.class)
                .hasMessage("UDP 192.0.2.1:5000 cannot be opened: not an address of this machine; choose an address"
                        + " that this machine has (ip address shows them), or 0.0.0.0 or [::] for all");
    }

    @Test
    void whatTheKernelHadNoPlaceForIsCounted() throws IOException {
        InetSocketAddress local = new InetSocketAddress(Stage.address("127.0.0.1"), 0);
        try (Port server = Udp.open(UdpSettings.of(local).withBuffers(1, 1 << 20));
                Port client = open("127.0.0.1", Trains.OFF)) {
            Peer asking = new Peer(client);
            for (int i = 0; i < 50; i++) {
                asking.send(Peer.pattern(1_000, i), server.localAddress());
            }
            int[] received = new int[1];
            Peer asked = new Peer(server);
            Eventually.await("every datagram is received or counted", () -> {
                received[0] += asked.receiveNow().size();
                return received[0] + asked.sum(Drop.OVERFLOW) == 50;
            });
            assertThat(asked.sum(Drop.OVERFLOW)).isPositive();
        }
    }

    @Test
    void aBurstThatIsFullSaysSo() throws IOException {
        try (Port port = open("127.0.0.1", Trains.OFF)) {
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
