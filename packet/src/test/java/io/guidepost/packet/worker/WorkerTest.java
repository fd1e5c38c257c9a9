package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.Machine;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortStage;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TestPeer;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerTest {
    private static final String STAGES = "io.guidepost.packet.PortStage#all";

    /** Long enough that a wake-up that was lost would fail the test, and not be covered by the next turn. */
    private static final int SLEEP_MILLIS = 60_000;

    private static WorkerSettings sleepy(String name) {
        return WorkerSettings.of(name).withWaiting(0, 0, SLEEP_MILLIS);
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void noWakeUpIsLost(PortStage stage) throws IOException, InterruptedException {
        wakeUps(stage, 20_000, sleepy("wake"));
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void noWakeUpIsLostBetweenNaps(PortStage stage) throws IOException, InterruptedException {
        wakeUps(stage, 5_000, WorkerSettings.of("wake").withWaiting(2_000, 50_000, SLEEP_MILLIS));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource(STAGES)
    void noWakeUpIsLostInManyMore(PortStage stage) throws IOException, InterruptedException {
        wakeUps(stage, 300_000, sleepy("wake"));
    }

    /** Hands over one piece of work at a time, at times that sweep over the worker's way into its sleep. */
    private static void wakeUps(PortStage stage, int number, WorkerSettings settings)
            throws IOException, InterruptedException {
        ConcurrentLinkedQueue<CountDownLatch> handed = new ConcurrentLinkedQueue<>();
        SplittableRandom random = new SplittableRandom(7);
        try (Port port = stage.open();
                Worker worker = new Worker(settings)
                        .watch(port.rx(0))
                        .add(nowMillis -> {
                            CountDownLatch latch = handed.poll();
                            if (latch == null) {
                                return 0;
                            }
                            latch.countDown();
                            return 1;
                        })
                        .start()) {
            for (int i = 0; i < number; i++) {
                CountDownLatch done = new CountDownLatch(1);
                handed.add(done);
                worker.wake();
                assertThat(done.await(SLEEP_MILLIS / 6, TimeUnit.MILLISECONDS))
                        .as("wake-up %d", i)
                        .isTrue();
                for (int spin = random.nextInt(400); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void aDutyThatThrowsDoesNotEndTheWorkerNorStarveTheOthersNorFloodTheLog() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        AtomicLong clockMillis = new AtomicLong(5_000);
        try (LogCapture log = new LogCapture(Worker.class);
                Worker worker = new Worker(
                                WorkerSettings.of("faulty").withWaiting(0, 0, 1).withClock(clockMillis::get))
                        .add(nowMillis -> {
                            throw new IllegalStateException("a duty that always fails, as this test wants it");
                        })
                        .add(nowMillis -> {
                            turns.incrementAndGet();
                            return 0;
                        })
                        .start()) {
            Eventually.await("fifty turns", () -> turns.get() >= 50);
            assertThat(worker.statistics().faults()).isGreaterThanOrEqualTo(49);
            assertThat(log.messages()).containsExactly("worker faulty continues after an error in a duty");
            clockMillis.addAndGet(PacketLimits.FAULT_REPORT_MILLIS);
            Eventually.await("a second report", () -> log.messages().size() == 2);
        }
    }

    @Test
    void aDutyThatNeverReturnsDoesNotHoldUpTheClosing() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        AtomicBoolean stuck = new AtomicBoolean(true);
        Worker worker = new Worker(WorkerSettings.of("stuck")).add(nowMillis -> {
            inside.countDown();
            while (stuck.get()) {
                LockSupport.parkNanos(1_000_000);
            }
            return 0;
        });
        try (LogCapture log = new LogCapture(Worker.class)) {
            worker.start();
            inside.await();
            long now = System.nanoTime();
            long limit = PacketLimits.TURN_MILLIS_MAX * 1_000_000L;
            assertThat(worker.supervise(now)).isEmpty();
            assertThat(worker.supervise(now + limit - 1)).isEmpty();
            assertThat(worker.supervise(now + limit)).get().asString()
                    .startsWith("worker stuck has been in one turn for 5000 ms, and takes no packets; it is at ");
            assertThat(worker.supervise(now + limit + 1)).as("said once").isEmpty();
            Thread closer = Thread.ofPlatform().daemon().start(worker::close);
            assertThat(closer.join(Duration.ofMinutes(2))).as("closing comes back").isTrue();
            assertThat(worker.isStuck()).isTrue();
            assertThat(log.messages()).singleElement().asString()
                    .startsWith("worker stuck has not ended within 5000 ms; it is in a duty that does not return, at ");
            worker.close();
            assertThat(log.messages()).as("said once").hasSize(1);
            stuck.set(false);
            Eventually.await("it to end", () -> !worker.isStuck());
        } finally {
            stuck.set(false);
        }
    }

    @ParameterizedTest
    @MethodSource(STAGES)
    void aPacketThatItsHandlerCannotStandIsDroppedAlone(PortStage stage) throws IOException, InterruptedException {
        DatagramHandler handler = (in, i, out) -> {
            if (in.length(i) == 13) {
                throw new IllegalStateException("a handler that fears 13, as this test wants it");
            }
            MemorySegment.copy(in.segment(), in.offset(i), out.segment(), out.room(), in.length(i));
            out.append(in.length(i), in, i);
        };
        try (LogCapture log = new LogCapture(DatagramResponder.class);
                Port server = stage.open();
                Port client = stage.open();
                Worker worker = new Worker(WorkerSettings.of("picky"))
                        .watch(server.rx(0))
                        .add(new DatagramResponder(server.rx(0), server.tx(0), handler))
                        .start()) {
            TestPeer asking = new TestPeer(client);
            for (int length = 10; length < 17; length++) {
                asking.append(TestPeer.pattern(length, length), server.localAddress());
            }
            asking.flush();
            assertThat(asking.receive(6))
                    .extracting(it -> it.bytes().length)
                    .containsExactly(10, 11, 12, 14, 15, 16);
            Eventually.await(
                    "the drop is counted", () -> server.rx(0).statistics().drops(Drop.FAULT) == 1);
            assertThat(worker.statistics().faults()).isZero();
            assertThat(log.messages()).hasSize(1);
        }
    }

    @Test
    void aQueueThatNobodyReportsOnIsPolled() throws InterruptedException {
        RxQueue silent = new RxQueue() {
            @Override
            public Burst burst() {
                return new Burst(MemorySegment.NULL, 1, 0);
            }

            @Override
            public int receive(Burst burst) {
                return 0;
            }

            @Override
            public QueueStatistics statistics() {
                return new QueueStatistics();
            }

            @Override
            public Readiness readiness() {
                return new Readiness.Unknown();
            }
        };
        try (Worker worker = new Worker(sleepy("polling"))
                .watch(silent)
                .add(nowMillis -> silent.receive(silent.burst()))
                .start()) {
            Eventually.await("a hundred turns", () -> worker.statistics().turns() >= 100);
        }
    }

    @Test
    void aProcessorThatIsNotThereIsAWarning() throws InterruptedException {
        CountDownLatch turned = new CountDownLatch(1);
        try (LogCapture log = new LogCapture(Worker.class);
                Worker worker = new Worker(WorkerSettings.of("nowhere").withCpu(PacketLimits.CPUS_MAX - 1))
                .add(nowMillis -> {
                    turned.countDown();
                    return 0;
                })
                .start()) {
            assertThat(turned.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.name()).isEqualTo("nowhere");
            assertThat(log.messages()).singleElement().asString().startsWith("worker nowhere runs on any processor");
        }
    }

    @Test
    void anIdleWorkerSleeps() throws InterruptedException {
        try (Worker worker = new Worker(sleepy("idle")).add(nowMillis -> 0).start()) {
            Eventually.await("the first sleep", () -> worker.statistics().sleeps() == 1);
            long turns = worker.statistics().turns();
            for (int i = 0; i < 3; i++) {
                long sleeps = worker.statistics().sleeps();
                worker.wake();
                Eventually.await(
                        "the sleep after a wake-up", () -> worker.statistics().sleeps() > sleeps);
            }
            assertThat(worker.statistics().turns()).isBetween(turns + 3, turns + 6);
        }
    }

    @Test
    void queuesOfBothBackEndsNeedTwoWorkers() throws IOException {
        try (MixedPorts ports = new MixedPorts()) {
            Worker worker = new Worker(WorkerSettings.of("mixed"))
                    .watch(ports.kernel.rx(0))
                    .watch(ports.channel.rx(0));
            if (Machine.LINUX) {
                assertThatThrownBy(worker::start)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("use two workers");
            }
            worker.close();
            assertThatThrownBy(() -> worker.add(nowMillis -> 0))
                    .as("a worker that was started is not changed")
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static final class MixedPorts implements AutoCloseable {
        private final Port kernel;
        private final Port channel;

        MixedPorts() throws IOException {
            UdpSettings settings =
                    UdpSettings.of(new java.net.InetSocketAddress(PortStage.address("127.0.0.1"), 0));
            kernel = UdpPorts.open(settings);
            channel = UdpPorts.open(settings.withBackEnd(UdpBackEnd.CHANNEL));
        }

        @Override
        public void close() {
            kernel.close();
            channel.close();
        }
    }
}
