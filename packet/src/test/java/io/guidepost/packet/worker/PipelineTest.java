package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.memory.FrameRing;
import io.guidepost.packet.memory.MemoryLink;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Workers over links: one that does all, three in a row, and ones that cannot keep up; every frame is accounted for. */
class PipelineTest {
    private static final int FRAMES = 300_000;

    private final FramePool pool = new FramePool(16_384, 2048, FrameSettings.HEADROOM_BYTES);
    private final MemoryLink in = new MemoryLink(FrameSettings.of("in").withPool(pool));
    private final MemoryLink out = new MemoryLink(FrameSettings.of("out").withPool(pool));
    private final RxQueue from = in.right().rx(0);
    private final TxQueue to = out.left().tx(0);

    private final AtomicLong discarded = new AtomicLong();

    /** Refuses every third frame, discards every fifth, and fails on every 1,009th; turns the bits of the others. */
    private int decide(Burst burst, int index) {
        long number = Memory.i64(burst.offset(index));
        if (number % 1_009 == 1_008) {
            throw new IllegalStateException("a handler that fears " + number + ", as this test wants it");
        }
        if (number % 3 == 0) {
            return FrameHandler.REFUSE;
        }
        if (number % 5 == 0) {
            discarded.incrementAndGet();
            return FrameHandler.DISCARD;
        }
        Memory.put64(burst.offset(index) + 8, ~number);
        return 0;
    }

    private static boolean passes(long number) {
        return number % 1_009 != 1_008 && number % 3 != 0 && number % 5 != 0;
    }

    private static Worker worker(String name, RxQueue rx, DutyCycle... duties) {
        Worker worker = new Worker(WorkerSettings.of(name).withWaiting(0, 0, 60_000)).watch(rx);
        Arrays.stream(duties).forEach(worker::add);
        return worker;
    }

    /** Sends all frames in, as fast as they are taken, and checks those that come out until no more can. */
    private long pass(BooleanSupplier settled) {
        TxQueue source = in.left().tx(0);
        RxQueue sink = out.right().rx(0);
        Burst leaving = source.burst();
        Burst coming = sink.burst();
        long sent = 0;
        long seen = 0;
        long last = -1;
        long deadline = System.nanoTime() + 60_000_000_000L;
        boolean over = false;
        while (!over) {
            // Asked before the last look: what came until then is seen by it.
            over = sent == FRAMES && leaving.count() == 0 && settled.getAsBoolean();
            while (sent < FRAMES && leaving.hasRoom()) {
                Memory.put64(leaving.room(), sent++);
                leaving.append(64);
            }
            source.send(leaving);
            for (int got = sink.receive(coming); got > 0; got = sink.receive(coming)) {
                for (int i = 0; i < got; i++) {
                    long number = Memory.i64(coming.offset(i));
                    assertThat(number > last && passes(number)).as("%d after %d", number, last).isTrue();
                    assertThat(Memory.i64(coming.offset(i) + 8) == ~number).as("contents of %d", number).isTrue();
                    last = number;
                }
                seen += got;
            }
            assertThat(System.nanoTime()).as("time").isLessThan(deadline);
        }
        return seen;
    }

    /** Whether all that a queue received was sent by another, or dropped for a counted reason. */
    private static boolean accounted(RxQueue from, long discarded, TxQueue to) {
        QueueStatistics in = from.statistics();
        QueueStatistics out = to.statistics();
        return in.packets()
                == out.packets()
                        + out.drops(Drop.NO_ROOM)
                        + in.drops(Drop.REFUSED)
                        + in.drops(Drop.FAULT)
                        + discarded;
    }

    @Test
    void oneWorkerDoesAll() throws InterruptedException {
        try (LogCapture log = new LogCapture(FrameForwarder.class);
                Worker worker = worker("all", from, new FrameForwarder(from, this::decide, new TxBuffer(to)))
                        .start()) {
            long seen = pass(() -> from.statistics().packets() == FRAMES && accounted(from, discarded.get(), to));
            assertThat(to.statistics().packets()).isEqualTo(seen).isPositive();
            assertThat(from.statistics().drops(Drop.FAULT)).isEqualTo(FRAMES / 1_009);
            assertThat(worker.statistics().faults()).isZero();
            assertThat(log.messages()).isNotEmpty();
        }
        assertThat(pool.free()).as("frames that no view keeps at hand").isGreaterThan(16_384 - 14 * 128);
    }

    /** Receive, decide and transmit on three threads: rings between them. */
    @Test
    void threeWorkersInARow() throws InterruptedException {
        FrameRing first = new FrameRing(512, 64, pool.view("first/tx"), pool.view("first/rx"));
        FrameRing second = new FrameRing(512, 64, pool.view("second/tx"), pool.view("second/rx"));
        FrameHandler pass = (burst, i) -> 0;
        try (LogCapture log = new LogCapture(FrameForwarder.class);
                Worker transmit = worker("transmit", second.rx(), new FrameForwarder(second.rx(), pass, new TxBuffer(to)))
                        .start();
                Worker decide = worker(
                                "decide",
                                first.rx(),
                                new FrameForwarder(first.rx(), this::decide, new TxBuffer(second.tx())))
                        .start();
                Worker receive = worker("receive", from, new FrameForwarder(from, pass, new TxBuffer(first.tx())))
                        .start()) {
            long seen = pass(() -> from.statistics().packets() == FRAMES
                    && accounted(from, 0, first.tx())
                    && first.rx().statistics().packets() == first.tx().statistics().packets()
                    && accounted(first.rx(), discarded.get(), second.tx())
                    && second.rx().statistics().packets() == second.tx().statistics().packets()
                    && accounted(second.rx(), 0, to));
            assertThat(to.statistics().packets()).isEqualTo(seen).isPositive();
            for (Worker each : List.of(transmit, decide, receive)) {
                assertThat(each.statistics().faults()).as(each.name()).isZero();
            }
            assertThat(log.messages()).isNotEmpty();
        }
        assertThat(pool.free()).as("frames that no view keeps at hand").isGreaterThan(16_384 - 14 * 128);
    }

    /** Two outputs, as a switch has them, by the last bit of the frame's number. */
    @Test
    void aForwarderHasSeveralOutputs() {
        MemoryLink odd = new MemoryLink(FrameSettings.of("odd").withPool(pool));
        AtomicLong begun = new AtomicLong();
        FrameForwarder forwarder = new FrameForwarder(
                from,
                new FrameHandler() {
                    @Override
                    public void begin(long nowMillis) {
                        begun.set(nowMillis);
                    }

                    @Override
                    public int frame(Burst burst, int index) {
                        return Memory.u8(burst.offset(index)) & 1;
                    }

                    @Override
                    public long restNanos() {
                        return 77;
                    }
                },
                new TxBuffer(to),
                new TxBuffer(odd.left().tx(0)));
        Burst leaving = in.left().tx(0).burst();
        for (int i = 0; i < 50; i++) {
            Memory.put8(leaving.room(), i);
            leaving.append(60);
        }
        in.left().tx(0).send(leaving);
        assertThat(forwarder.work(5)).isEqualTo(50);
        assertThat(begun.get()).isEqualTo(5);
        assertThat(forwarder.restNanos()).isEqualTo(77);
        for (Port port : new Port[] {out.right(), odd.right()}) {
            Burst coming = port.rx(0).burst();
            assertThat(port.rx(0).receive(coming)).isEqualTo(25);
            for (int i = 0; i < 25; i++) {
                assertThat(Memory.u8(coming.offset(i))).isEqualTo(2 * i + (port.equals(out.right()) ? 0 : 1));
            }
        }
        assertThat(forwarder.work(6)).isZero();
    }
}
