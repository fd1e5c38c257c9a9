package io.guidepost.packet.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.memory.MemoryNetwork;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that is flooded: what it owes to those who do not flood it. */
class AdmissionTest {
    private static final int BURST = 64;
    private static final int ROUNDS = 4000;

    /** Some bursts of short datagrams. */
    private static final int QUEUE_BYTES = 1 << 14;

    /** First byte of a datagram that the classifier exempts, and of one that the handler fails on. */
    private static final byte EXEMPT = 1;

    private static final byte FAULTY = 2;

    /** First byte of one that asks for a name. */
    private static final byte NAMED = 3;

    private static final DatagramClassifier CLASSIFIER = new DatagramClassifier() {
        @Override
        public long name(MemorySegment segment, long offset, int length) {
            return segment.get(ValueLayout.JAVA_BYTE, offset) == NAMED ? NAMED : NO_NAME;
        }

        @Override
        public String nameText(MemorySegment segment, long offset, int length) {
            return "name " + name(segment, offset, length);
        }

        @Override
        public boolean isExempt(MemorySegment segment, long offset, int length) {
            return segment.get(ValueLayout.JAVA_BYTE, offset) == EXEMPT;
        }
    };

    private final MemoryNetwork network = new MemoryNetwork(MemoryNetwork.Impairment.NONE, new SplittableRandom(1));
    private final Echo echo = new Echo();
    private Client honest;
    private Client flooder;
    private Port server;
    private PortAdmission guarded;
    private DutyCycle duty;

    /** Sends every datagram back. */
    private static final class Echo implements DatagramHandler {
        private int handled;
        private int ended;

        @Override
        public void packet(Burst in, int index, Burst out) {
            handled++;
            if (in.segment().get(ValueLayout.JAVA_BYTE, in.offset(index)) == FAULTY) {
                throw new IllegalStateException("a fault");
            }
            MemorySegment.copy(in.segment(), in.offset(index), out.segment(), out.room(), in.length(index));
            out.append(in.length(index), in, index);
        }

        @Override
        public void end(Burst out) {
            ended++;
        }
    }

    /** One that asks and counts answers. */
    private final class Client {
        private final Port port;
        private final Burst in;
        private final Burst out;
        private int sent;

        Client(String address) throws IOException {
            port = network.open(UdpSettings.of(new InetSocketAddress(InetAddress.ofLiteral(address), 4000)));
            in = port.rx(0).burst();
            out = port.tx(0).burst();
        }

        void send(int datagrams, byte kind) {
            InetSocketAddress to = server.localAddress();
            for (int i = 0; i < datagrams; i++) {
                out.segment().set(ValueLayout.JAVA_BYTE, out.room(), kind);
                out.segment().set(ValueLayout.JAVA_INT_UNALIGNED, out.room() + 1, ++sent);
                out.append(5, Addresses.high(to.getAddress()), Addresses.low(to.getAddress()), to.getPort());
                if (!out.hasRoom()) {
                    port.tx(0).send(out);
                }
            }
            port.tx(0).send(out);
        }

        int answers() {
            int answers = 0;
            for (int came = port.rx(0).receive(in); came > 0; came = port.rx(0).receive(in)) {
                answers += came;
            }
            return answers;
        }
    }

    @BeforeEach
    void open() throws IOException {
        open(Admission.FAIR_QUEUE);
        honest = new Client("192.0.2.1");
        flooder = new Client("198.51.100.1");
    }

    private void open(Admission admission) throws IOException {
        server = network.open(UdpSettings.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.77"), 0))
                .withBuffers(QUEUE_BYTES, 1 << 20));
        guarded = admission.at(server, () -> 42);
        duty = guarded.duties(0, echo, CLASSIFIER).getFirst();
    }

    private QueueStatistics statistics() {
        return server.rx(0).statistics();
    }

    /** Of each full burst one datagram is honest: it is answered in its turn, with but a few of the flood. */
    @Test
    void anHonestRequestIsAnsweredInItsTurn() {
        int answered = 0;
        int flooded = 0;
        for (int turn = 0; turn < ROUNDS; turn++) {
            flooder.send(turn % BURST, (byte) 0);
            honest.send(1, (byte) 0);
            flooder.send(BURST - 1 - turn % BURST, (byte) 0);
            duty.work(turn);
            int mine = honest.answers();
            assertThat(mine).isLessThanOrEqualTo(1);
            int theirs = flooder.answers();
            if (turn >= ROUNDS / 2) {
                answered += mine;
                flooded += theirs;
            }
        }
        assertThat(answered).isEqualTo(ROUNDS / 2);
        assertThat(flooded)
                .as("the first of each turn go at once")
                .isLessThanOrEqualTo((AdmissionLimits.RELEASED_PER_TURN + FairQueue.LONG_TURN) * ROUNDS / 2);
        assertThat(statistics().drops(Drop.HEAVY_HITTER_SOURCE)).isPositive();
        assertThat(statistics().deferred()).isPositive();
        assertThat(echo.handled).isLessThan(ROUNDS * BURST);
    }

    /** When bursts are short again, all that waits is answered, and the worker does not sleep before. */
    @Test
    void whatWaitedIsAnsweredWhenThereIsTime() {
        int answered = 0;
        int asked = 0;
        for (int turn = 0; turn < 500; turn++) {
            flooder.send(BURST - 1, (byte) 0);
            honest.send(1, (byte) 0);
            asked += BURST;
            duty.work(turn);
            answered += flooder.answers() + honest.answers();
        }
        assertThat(duty.restNanos()).isZero();
        for (int turn = 0; turn < 100; turn++) {
            duty.work(500 + turn);
        }
        answered += flooder.answers() + honest.answers();
        assertThat(duty.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(answered).isEqualTo(asked - (int) statistics().drops(Drop.HEAVY_HITTER_SOURCE));
    }

    /** A client alone, though it keeps the worker full, loses nothing and waits for nothing. */
    @Test
    void aClientAloneMayHaveItAll() {
        for (int turn = 0; turn < ROUNDS; turn++) {
            flooder.send(BURST, (byte) 0);
            duty.work(turn);
            assertThat(flooder.answers()).isEqualTo(BURST);
        }
        assertThat(statistics().deferred()).isZero();
    }

    private void flood(byte kind) {
        for (int turn = 0; turn < 500; turn++) {
            flooder.send(BURST - 1, kind);
            honest.send(1, (byte) 0);
            duty.work(turn);
        }
    }

    @Test
    void whatIsExemptNeverWaits() {
        flood(EXEMPT);
        assertThat(statistics().deferred()).isZero();
        assertThat(flooder.answers()).isEqualTo(500 * (BURST - 1));
    }

    /** One datagram that the handler cannot stand costs nothing but itself, though it waited. */
    @Test
    void aFaultOfOneThatWaitedDoesNotEndTheTurnOfTheHandler() {
        flood((byte) 0);
        flooder.answers();
        flooder.send(BURST - 1, FAULTY);
        honest.send(1, (byte) 0);
        int turns = echo.ended;
        int faults = 0;
        int worked = 0;
        for (; duty.restNanos() == 0 || worked == 0; worked++) {
            try {
                duty.work(1000);
            } catch (IllegalStateException e) {
                faults++;
            }
        }
        assertThat(faults).isPositive();
        assertThat(echo.ended - turns).isEqualTo(worked);
    }

    @Test
    void maxMinDropsAtOnceWhatIsAboveTheShare() throws IOException {
        server.close();
        open(Admission.MAX_MIN);
        for (int turn = 0; turn < 3000; turn++) {
            // More than the queue of the port holds, so that some are lost there.
            honest.send(1, (byte) 0);
            flooder.send(turn % 10 == 0 ? QUEUE_BYTES : BURST, (byte) 0);
            duty.work(turn);
            flooder.answers();
        }
        assertThat(statistics().drops(Drop.OVERFLOW)).isPositive();
        assertThat(statistics().drops(Drop.SOURCE_SHARE)).isPositive();
        assertThat(statistics().deferred()).isZero();
    }

    @Test
    void withoutAPolicyTheHandlerStandsAlone() throws IOException {
        server.close();
        open(Admission.NONE);
        flood((byte) 0);
        assertThat(flooder.answers()).isEqualTo(500 * (BURST - 1));
    }

    @Test
    void anOverloadAllocatesNothing() {
        PortAdmission admission = Admission.FAIR_QUEUE.at(server, () -> 42);
        DatagramHandler nothing = (in, index, out) -> {};
        DatagramHandler handler = admission.wrap(0, nothing, CLASSIFIER);
        Burst in = new Burst(MemorySegment.ofArray(new byte[64]), BURST, 0);
        Burst out = new Burst(MemorySegment.ofArray(new byte[64]), BURST, 0);
        overload(handler, in, out, 2000);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);
        overload(handler, in, out, 2000);
        // The code may be compiled on the way, which costs a little once; one byte a datagram would be 128,000.
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(2000 * BURST / 10);
        assertThat(statistics().deferred()).isPositive();
    }

    private static void overload(DatagramHandler handler, Burst in, Burst out, int turns) {
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < BURST; i++) {
                in.datagram(i, i, 1, 0, Addresses.ipv4Low(i % 16 == 0 ? i << 8 : 7), 4000, 0, 0);
            }
            in.received(BURST);
            handler.begin(turn);
            for (int i = 0; i < BURST; i++) {
                handler.packet(in, i, out);
            }
            handler.end(out);
        }
    }

    /** One turn in a hundred milliseconds: of the flood most is held back, and who sends it is told. */
    @Test
    void whoIsBusiestIsToldToThoseWhoWatch() {
        TopTalkers talkers = guarded.talkers().getFirst();
        for (int turn = 0; turn < 60; turn++) {
            flood(turn * 100L);
        }
        assertThat(talkers.networks(6000)).isEmpty();
        talkers.watch(6000);
        for (int turn = 60; turn < 90; turn++) {
            flood(turn * 100L);
        }
        List<TopTalkers.Talker> networks = talkers.networks(9000);
        assertThat(networks).extracting(TopTalkers.Talker::key).containsExactly("198.51.100.0/24", "192.0.2.0/24");
        assertThat(networks.getFirst().perSecond()).isBetween(560.0, 700.0);
        assertThat(networks.getFirst().heldPerSecond()).isGreaterThan(300);
        assertThat(networks.getFirst().reason()).contains(Drop.HEAVY_HITTER_SOURCE);
        assertThat(networks.getLast().perSecond()).isBetween(5.0, 40.0);
        assertThat(talkers.names(9000)).extracting(TopTalkers.Talker::key).containsExactly("name 3");
        assertThat(talkers.networks(20_000)).isEmpty();
    }

    private void flood(long millis) {
        flooder.send(BURST - 2, NAMED);
        honest.send(1, NAMED);
        flooder.send(1, NAMED);
        duty.work(millis);
        flooder.answers();
        honest.answers();
    }
}
