package io.guidepost.packet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import org.junit.jupiter.api.Test;

class MemoryLinkTest {
    @Test
    void framesPassBothWaysAndComeBackToThePool() {
        MemoryLink link = new MemoryLink(FrameSettings.of("test"));
        int free = link.pool().free();
        Burst out = link.left().tx(0).burst();
        Burst in = link.right().rx(0).burst();
        Burst back = link.right().tx(0).burst();
        Burst home = link.left().rx(0).burst();
        for (int i = 0; i < 10_000; i++) {
            long room = out.room();
            Memory.put64(room, i);
            out.append(60 + i % 1000);
            assertThat(link.left().tx(0).send(out)).isZero();
            assertThat(link.right().rx(0).receive(in)).isEqualTo(1);
            assertThat(in.offset(0)).isEqualTo(room);
            assertThat(back.take(in, 0)).isTrue();
            assertThat(in.isTaken(0)).isTrue();
            assertThat(link.right().tx(0).send(back)).isZero();
            assertThat(link.left().rx(0).receive(home)).isEqualTo(1);
            assertThat(Memory.i64(home.offset(0))).isEqualTo(i);
            assertThat(home.length(0)).isEqualTo(60 + i % 1000);
        }
        home.clear();
        // Views keep some at hand; frames that leaked would be thousands.
        assertThat(link.pool().free()).isGreaterThan(free - 512);
    }

    @Test
    void whatHasNoPlaceStays() {
        MemoryLink link = new MemoryLink(FrameSettings.of("test"));
        Burst out = link.left().tx(0).burst();
        int sent = 0;
        while (true) {
            while (out.hasRoom()) {
                out.append(60);
                sent++;
            }
            if (link.left().tx(0).send(out) > 0) {
                break;
            }
        }
        assertThat(sent - out.count()).isEqualTo(1024);
        Burst in = link.right().rx(0).burst();
        assertThat(link.right().rx(0).receive(in)).isEqualTo(64);
        assertThat(link.left().tx(0).send(out)).isZero();
    }

    @Test
    void bothEndsAreDownOnceOneIsClosed() {
        MemoryLink link = new MemoryLink(FrameSettings.of("test").withQueues(2));
        Burst out = link.right().tx(1).burst();
        out.append(60);
        assertThat(link.right().tx(1).send(out)).isZero();
        assertThat(link.left().link().up() && link.right().link().up()).isTrue();
        link.left().close();
        assertThat(link.left().link().up() || link.right().link().up()).isFalse();
        out.append(60);
        assertThat(link.right().tx(1).send(out)).isZero();
        assertThat(link.right().tx(1).statistics().drops(Drop.CLOSED)).isEqualTo(1);
        Burst in = link.left().rx(1).burst();
        assertThat(link.left().rx(1).receive(in)).as("the frame that was sent before").isEqualTo(1);
        in.clear();
    }

    @Test
    void aFrameInTheMiddleCanBeRemovedAndIsFreeAgain() {
        MemoryLink link = new MemoryLink(FrameSettings.of("test").withFrames(64, 2048));
        Burst burst = Burst.ofFrames(link.left().tx(0).burst().memory(), 64, 66, 1_000);
        assertThat(burst.roomBytes()).isEqualTo(1_000);
        for (int i = 0; i < 64; i++) {
            assertThat(burst.hasRoom()).isTrue();
            burst.append(i, 1, 2, i);
        }
        burst.remove(10);
        assertThat(burst.count()).isEqualTo(63);
        assertThat(burst.length(10)).isEqualTo(11);
        assertThat(burst.hasRoom()).as("the memory of the removed one").isTrue();
        long inside = burst.offset(0) + 42;
        burst.datagram(0, inside, 5, 7, 8, 9, 10, 11);
        assertThat(burst.offset(0)).isEqualTo(inside);
        assertThat(burst.length(0)).isEqualTo(5);
        assertThat(burst.peerHigh(0) + burst.peerLow(0) + burst.peerPort(0)).isEqualTo(24);
        assertThat(burst.localHigh(0) + burst.localLow(0)).isEqualTo(21);
        burst.clear();
    }
}
