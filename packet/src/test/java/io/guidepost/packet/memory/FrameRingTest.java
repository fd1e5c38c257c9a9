package io.guidepost.packet.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FrameRingTest {
    private static final int FRAMES = 4096;

    private final FramePool pool = new FramePool(FRAMES, 2048, FrameSettings.HEADROOM_BYTES);

    @Test
    void twoThreadsPassAMillionFramesInOrder() throws InterruptedException {
        pass(1_000_000);
    }

    @Tag("long")
    @Test
    void twoThreadsPassAHundredMillionFramesInOrder() throws InterruptedException {
        pass(100_000_000);
    }

    private void pass(long number) throws InterruptedException {
        PacketMemory senders = pool.view("sender");
        PacketMemory receivers = pool.view("receiver");
        FrameRing ring = new FrameRing(256, 64, senders, receivers);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                send(ring.tx(), number, senders);
            } catch (Throwable t) {
                failure.set(t);
            }
        });
        receive(ring.rx(), number, failure);
        sender.join();
        assertThat(failure.get()).isNull();
        assertThat(ring.tx().statistics().packets()).isEqualTo(number);
        assertThat(ring.rx().statistics().packets()).isEqualTo(number);
        assertThat(ring.rx().statistics().bytes()).isEqualTo(ring.tx().statistics().bytes());
        assertThat(ring.size()).isZero();
        receivers.release();
        assertThat(pool.free()).as("frames in the pool, all views emptied").isEqualTo(FRAMES);
    }

    private static void send(TxQueue tx, long number, PacketMemory memory) {
        SplittableRandom random = new SplittableRandom(3);
        Burst out = tx.burst();
        long next = 0;
        while (next < number || out.count() > 0) {
            for (int wanted = random.nextInt(65); wanted > 0 && next < number && out.hasRoom(); wanted--) {
                Memory.put64(out.room(), next);
                out.append(60 + (int) (next % 1_000));
                out.mark(out.count() - 1, ~next);
                next++;
            }
            if (tx.send(out) > 0) {
                Thread.onSpinWait();
            }
        }
        out.release();
        memory.release();
    }

    private static void receive(RxQueue rx, long number, AtomicReference<Throwable> failure) {
        Burst in = rx.burst();
        long next = 0;
        while (next < number && failure.get() == null) {
            int got = rx.receive(in);
            if (got == 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < got; i++) {
                boolean right = Memory.i64(in.offset(i)) == next
                        && in.length(i) == 60 + next % 1_000
                        && in.mark(i) == ~next;
                if (!right) {
                    failure.set(new AssertionError("frame " + next + " came as " + Memory.i64(in.offset(i))));
                    return;
                }
                next++;
            }
        }
        in.release();
    }

    @Test
    void aClosedRingLetsNothingInAndGivesWhatItHas() {
        PacketMemory memory = pool.view("both");
        FrameRing ring = new FrameRing(4, 8, memory, memory);
        Burst out = ring.tx().burst();
        for (int i = 0; i < 6; i++) {
            out.append(60);
        }
        assertThat(ring.tx().send(out)).as("frames that stayed").isEqualTo(2);
        assertThat(ring.size()).isEqualTo(4);
        ring.close();
        assertThat(ring.tx().send(out)).isZero();
        assertThat(ring.tx().statistics().drops(Drop.CLOSED)).isEqualTo(2);
        Burst in = ring.rx().burst();
        assertThat(ring.rx().receive(in)).isEqualTo(4);
        in.release();
        out.release();
        memory.release();
        assertThat(pool.free()).isEqualTo(FRAMES);
    }

    @Test
    void itIsOfOnePoolAndAPowerOfTwo() {
        PacketMemory memory = pool.view("one");
        PacketMemory other = new FramePool(64, 2048, 0).view("other");
        assertThatThrownBy(() -> new FrameRing(64, 8, memory, other)).hasMessageContaining("the same pool");
        for (int wrong : new int[] {0, 1, 3, 100, 1 << 21}) {
            assertThatThrownBy(() -> new FrameRing(wrong, 8, memory, memory)).hasMessageContaining("power of two");
        }
    }
}
