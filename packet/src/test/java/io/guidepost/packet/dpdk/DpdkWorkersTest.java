package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Several queues, each with a worker of its own. */
class DpdkWorkersTest {
    private static final int FRAMES = 200_000;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Test
    void twoWorkersMoveTheFramesOfTwoQueuesInOrder() throws Exception {
        try (DpdkPort port = Devices.open(FrameSettings.of("net_ring2").withQueues(2))) {
            int free = port.pool().free();
            List<Numbered> duties = List.of(
                    new Numbered(port.rx(0), port.tx(0), 0), new Numbered(port.rx(1), port.tx(1), 1L << 40));
            run(duties);
            for (Numbered duty : duties) {
                assertThat(duty.wrong).isZero();
                assertThat(duty.received).isEqualTo(FRAMES);
                duty.in.clear();
            }
            assertThat(port.pool().free()).isEqualTo(free);
        }
    }

    @Test
    void threadsThatEndGiveTheirNumbersBack() throws Exception {
        try (DpdkPort port = Devices.open("net_null2")) {
            Burst burst = port.rx(0).burst();
            // DPDK has 128 numbers for threads in all.
            for (int i = 0; i < 300; i++) {
                Path[] task = new Path[1];
                Thread thread = Thread.ofPlatform().start(() -> {
                    task[0] = nativeThread();
                    port.rx(0).receive(burst);
                });
                thread.join();
                // The number is free, with the frames cached for it, when the native thread has ended, which is after Java's.
                await(() -> !Files.exists(task[0]));
                assertThat(burst.count()).isEqualTo(64);
                burst.clear();
            }
        }
    }

    private static Path nativeThread() {
        try {
            return Path.of("/proc/thread-self").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void framesThatABurstHoldsWhenItsPortIsClosedReturnOnce() throws IOException {
        DpdkPort port = Devices.open("net_null4");
        Burst burst = port.rx(0).burst();
        assertThat(port.rx(0).receive(burst)).isPositive();
        port.close();
        burst.clear();
        PacketMemory memory = port.pool().view();
        Set<Long> taken = new HashSet<>();
        for (long frame = memory.take(); frame != PacketMemory.NONE; frame = memory.take()) {
            assertThat(taken.add(frame)).as("a frame has one owner").isTrue();
        }
        taken.forEach(memory::free);
    }

    @Test
    void aPortThatIsClosedUnderItsWorkerDoesNoHarm() throws Exception {
        for (int i = 0; i < 20; i++) {
            DpdkPort port = Devices.open("net_null3");
            RxQueue rx = port.rx(0);
            Burst burst = rx.burst();
            try (Worker worker = new Worker(WorkerSettings.of("closed-under")).add(now -> rx.receive(burst)).start()) {
                await(() -> rx.statistics().packets() > 1000);
                port.close();
                assertThat(worker.statistics().faults()).isZero();
            }
            assertThat(rx.receive(burst)).isZero();
            assertThat(port.deviceCounters().get("rx_good_packets")).as("the last counters").isPositive();
            assertThat(port.link().up()).isFalse();
        }
    }

    private static void run(List<Numbered> duties) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (Numbered duty : duties) {
            workers.add(new Worker(WorkerSettings.of("numbered")).add(duty).start());
        }
        try {
            await(() -> duties.stream().allMatch(duty -> duty.received >= FRAMES));
        } finally {
            workers.forEach(Worker::close);
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within 30 seconds");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Sends numbered frames into a queue that gives them back, and looks at their numbers. */
    private static final class Numbered implements DutyCycle {
        private final RxQueue rx;
        private final TxQueue tx;
        private final long first;
        private final Burst in;
        private final Burst out;
        private long sent;
        volatile long received;
        volatile long wrong;

        Numbered(RxQueue rx, TxQueue tx, long first) {
            this.rx = rx;
            this.tx = tx;
            this.first = first;
            this.in = rx.burst();
            this.out = tx.burst();
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes it.
        public int work(long nowMillis) {
            while (sent < FRAMES && !out.isFull()) {
                Memory.put64(out.room(), first + sent++);
                out.append(60);
            }
            tx.send(out);
            int count = rx.receive(in);
            for (int i = 0; i < count; i++) {
                if (Memory.i64(in.offset(i)) != first + received + i) {
                    wrong++;
                }
            }
            received += count;
            return count;
        }
    }

    @Test
    void theStandardNumberOfQueuesIsOne() throws IOException {
        try (DpdkPort port = Devices.open("net_ring3")) {
            assertThat(port.queues()).isEqualTo(1);
            assertThat(port.mac()).isZero();
            assertThat(port.frameBytesMax()).isEqualTo(1518);
        }
    }
}
