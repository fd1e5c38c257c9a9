package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryLink;
import org.junit.jupiter.api.Test;

class TxBufferTest {

    private final MemoryLink link = new MemoryLink(FrameSettings.of("test").withBurstMax(8));
    private final Port left = link.left();
    private final Port right = link.right();
    private final Burst in = right.rx(0).burst();
    private final TxBuffer buffer = new TxBuffer(left.tx(0));

    private void put(int number) {
        for (int i = 0; i < number; i++) {
            buffer.room().append(60);
        }
    }

    @Test
    void aFullBurstDoesNotWait() {
        put(8);
        assertThat(buffer.work(0)).isEqualTo(8);
        put(8);
        put(1);
        assertThat(right.rx(0).receive(in)).as("sent to make room").isEqualTo(8);
        assertThat(right.rx(0).receive(in)).isEqualTo(8);
        assertThat(buffer.restNanos()).as("the worker must not sleep on it").isZero();
        assertThat(buffer.work(0)).as("a partial burst leaves with its turn").isEqualTo(1);
        assertThat(right.rx(0).receive(in)).isEqualTo(1);
        assertThat(buffer.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(buffer.work(0)).isZero();
    }

    @Test
    void whatHasNoPlaceIsCountedAndTheWorkerDoesNotSleepOnIt() {
        Burst from = Burst.ofFrames(link.pool().view("from"), 8, 0);
        int taken = 0;
        int refused = 0;
        while (refused < 5) {
            from.clear();
            from.append(60);
            if (buffer.take(from, 0)) {
                taken++;
                assertThat(from.isTaken(0)).isTrue();
            } else {
                refused++;
                assertThat(from.isTaken(0)).as("it stays where it is").isFalse();
            }
        }
        assertThat(left.tx(0).statistics().drops(Drop.NO_ROOM)).isEqualTo(5);
        assertThat(buffer.work(0)).as("work that waits for place").isPositive();
        int received = 0;
        for (int got = right.rx(0).receive(in); got > 0; got = right.rx(0).receive(in)) {
            received += got;
            buffer.work(0);
        }
        assertThat(received).isEqualTo(taken);
    }
}
