package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.AddressText;
import io.guidepost.packet.udp.BindRefusal;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every back end owes, on every back end. */
class PortTest {
    private static final String STAGES = "io.guidepost.packet.PortStage#all";

    @ParameterizedTest
    @MethodSource(STAGES)
    void everySizeArrivesWhole(PortStage stage) throws IOException {
        try (Port server = stage.open();
                Port client = stage.open()) {
            TestPeer asked = new TestPeer(server);
            TestPeer asking = new TestPeer(client);
            for (int size : new int[] {0, 1, 2, 63, 64, 65, 511, 1471, 1472, 1473, 9000, 65_506, 65_507}) {
                byte[] bytes = TestPeer.pattern(size, size);
                asking.send(bytes, server.localAddress());
                TestPeer.Datagram question = asked.receive(1).getFirst();
                assertThat(question.bytes()).as("question of %d bytes", size).isEqualTo(bytes);
                assertThat(question.peer()).isEqualTo(client.localAddress());
                asked.echo();
                TestPeer.Datagram answer = asking.receive(1).getFirst();
                assertThat(answer.bytes()).as("answer of %d bytes", size).isEqualTo(bytes);
                assertThat(answer.peer()).isEqualTo(server.localAddress());
            }
            assertThat(server.rx(0).statistics().packets()).isEqualTo(13);
            assertThat(server.tx(0).statistics().bytes())
                    .isEqualTo(server.rx(0).statistics().bytes());
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void mixedBurstsOfManyPeersArriveInTheOrderOfEach(PortStage stage) throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        try (Port server = stage.open();
                Port one = stage.open();
                Port two = stage.open()) {
            TestPeer asked = new TestPeer(server);
            List<TestPeer> asking = List.of(new TestPeer(one), new TestPeer(two));
            Map<InetSocketAddress, List<byte[]>> sent = new HashMap<>();
            Map<InetSocketAddress, List<byte[]>> received = new HashMap<>();
            for (int round = 0; round < 100; round++) {
                int expected = 0;
                for (int peer = 0; peer < asking.size(); peer++) {
                    InetSocketAddress address = List.of(one, two).get(peer).localAddress();
                    expected += fill(asking.get(peer), server.localAddress(), random, sent, address);
                }
                for (TestPeer.Datagram datagram : asked.receive(expected)) {
                    received.computeIfAbsent(datagram.peer(), a -> new ArrayList<>())
                            .add(datagram.bytes());
                }
            }
            assertThat(received.keySet()).as("seed %d", seed).isEqualTo(sent.keySet());
            sent.forEach((address, datagrams) -> assertThat(received.get(address))
                    .as("seed %d, from %s", seed, address)
                    .usingElementComparator(java.util.Arrays::compare)
                    .containsExactlyElementsOf(datagrams));
        }
    }

    /** Sends a burst in which lengths often repeat, so that trains begin and end everywhere. */
    private static int fill(
            TestPeer peer,
            InetSocketAddress to,
            SplittableRandom random,
            Map<InetSocketAddress, List<byte[]>> sent,
            InetSocketAddress from) {
        int count = random.nextInt(1, 65);
        int length = 100;
        for (int i = 0; i < count; i++) {
            length = random.nextInt(4) > 0 ? length : random.nextInt(4) > 0 ? random.nextInt(200) : random.nextInt(1600);
            byte[] bytes = TestPeer.pattern(length, random.nextInt(256));
            peer.append(bytes, to);
            sent.computeIfAbsent(from, a -> new ArrayList<>()).add(bytes);
        }
        Eventually.await("the burst to leave", () -> peer.flush() == 0);
        return count;
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void whatIsLongerThanTheRoomIsDroppedWithAReason(PortStage stage) throws IOException {
        try (Port server = stage.open(settings -> settings.withDatagramBytesMax(128));
                Port client = stage.open()) {
            TestPeer asked = new TestPeer(server);
            TestPeer asking = new TestPeer(client);
            asking.send(TestPeer.pattern(129, 1), server.localAddress());
            asking.send(TestPeer.pattern(128, 2), server.localAddress());
            assertThat(asked.receive(1).getFirst().bytes()).isEqualTo(TestPeer.pattern(128, 2));
            assertThat(asked.sum(Drop.TRUNCATED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void whatCannotLeaveIsDroppedWithAReasonAndTheRestLeaves(PortStage stage) throws IOException {
        try (Port server = stage.open();
                Port client = stage.open()) {
            TestPeer asked = new TestPeer(server);
            TestPeer asking = new TestPeer(client);
            byte[] bytes = TestPeer.pattern(40, 3);
            asking.append(bytes, server.localAddress());
            asking.append(bytes, new InetSocketAddress(stage.address(), 0));
            asking.append(bytes, server.localAddress());
            asking.append(bytes, server.localAddress());
            Eventually.await("the burst to leave", () -> asking.flush() == 0);
            asking.send(TestPeer.pattern(65_535, 4), server.localAddress());
            asking.send(bytes, server.localAddress());
            assertThat(asked.receive(4)).allSatisfy(it -> assertThat(it.bytes()).isEqualTo(bytes));
            assertThat(asking.sum(Drop.REFUSED)).isEqualTo(1);
            assertThat(asking.sum(Drop.TOO_LARGE)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void aPeerThatIsGoneHarmsNobodyElse(PortStage stage) throws IOException {
        try (Port server = stage.open();
                Port client = stage.open()) {
            InetSocketAddress gone;
            try (Port closed = stage.open()) {
                gone = closed.localAddress();
            }
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 10; i++) {
                asking.append(TestPeer.pattern(20, i), gone);
                asking.append(TestPeer.pattern(20, i), server.localAddress());
            }
            Eventually.await("the burst to leave", () -> asking.flush() == 0);
            List<TestPeer.Datagram> datagrams = new TestPeer(server).receive(10);
            for (int i = 0; i < 10; i++) {
                assertThat(datagrams.get(i).bytes()).isEqualTo(TestPeer.pattern(20, i));
            }
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void anAddressThatIsTakenIsRefusedInOneLine(PortStage stage) throws IOException {
        try (Port server = stage.open()) {
            assertThat(server.localAddress().getPort()).isPositive();
            assertThatThrownBy(() -> stage.openAt(server.localAddress(), settings -> settings))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(AddressText.of(server.localAddress()))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("choose another port number")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void aClosedPortReceivesNothingAndCountsWhatItIsGiven(PortStage stage) throws IOException {
        Port server = stage.open();
        TestPeer closed = new TestPeer(server);
        try (Port client = stage.open()) {
            new TestPeer(client).send(TestPeer.pattern(10, 1), server.localAddress());
            server.close();
            server.close();
            assertThat(closed.receiveNow()).isEmpty();
            closed.append(TestPeer.pattern(10, 1), client.localAddress());
            assertThat(closed.flush()).isZero();
            assertThat(closed.sum(Drop.CLOSED)).isEqualTo(1);
        }
        try (Port again = stage.openAt(server.localAddress(), settings -> settings)) {
            assertThat(again.localAddress()).isEqualTo(server.localAddress());
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void aWorkerAnswersAndSleepsBetweenQuestions(PortStage stage) throws IOException, InterruptedException {
        try (Port server = stage.open();
                Port client = stage.open();
                Worker worker = echo(server)) {
            TestPeer asking = new TestPeer(client);
            for (int i = 0; i < 100; i++) {
                byte[] bytes = TestPeer.pattern(1 + i * 10, i);
                asking.send(bytes, server.localAddress());
                assertThat(asking.receive(1).getFirst().bytes()).isEqualTo(bytes);
            }
            // The last answer is out before its turn is counted.
            Eventually.await("100 packets counted", () -> worker.statistics().moved() == 100);
            assertThat(worker.statistics().sleeps()).isPositive();
            assertThat(worker.statistics().faults()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void closingAPortUnderItsWorkerHarmsNothing(PortStage stage) throws IOException, InterruptedException {
        for (int i = 0; i < 10; i++) {
            try (Port client = stage.open();
                    Port server = stage.open();
                    Worker worker = echo(server)) {
                TestPeer asking = new TestPeer(client);
                asking.send(TestPeer.pattern(30, i), server.localAddress());
                asking.receive(1);
                closeNow(server);
                // Ports opened now get the numbers that closing gave back; the old worker must not touch them.
                try (Port next = stage.open()) {
                    asking.send(TestPeer.pattern(31, i), next.localAddress());
                    assertThat(new TestPeer(next).receive(1)).hasSize(1);
                }
                long turns = worker.statistics().turns();
                worker.wake();
                Eventually.await(
                        "another turn of the worker", () -> worker.statistics().turns() > turns);
                assertThat(worker.statistics().faults()).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void aWorkerOfAPortThatWasClosedBeforeSleeps(PortStage stage) throws IOException, InterruptedException {
        Port server = stage.open();
        closeNow(server);
        try (Port next = stage.open();
                Worker worker = echo(server)) {
            new TestPeer(next).send(TestPeer.pattern(10, 1), next.localAddress());
            Eventually.await(
                    "the second sleep", () -> worker.statistics().sleeps() >= 2);
            assertThat(worker.statistics().turns()).isLessThan(100);
            assertThat(worker.statistics().moved()).isZero();
            assertThat(new TestPeer(next).receive(1)).hasSize(1);
        }
    }

    private static void closeNow(Port port) {
        port.close();
    }

    private static Worker echo(Port port) throws InterruptedException {
        DatagramHandler echo = (in, i, out) -> {
            MemorySegment.copy(in.segment(), in.offset(i), out.segment(), out.room(), in.length(i));
            out.append(in.length(i), in, i);
        };
        return new Worker(WorkerSettings.of("echo"))
                .watch(port.rx(0))
                .add(new DatagramResponder(port.rx(0), port.tx(0), echo))
                .start();
    }
}
