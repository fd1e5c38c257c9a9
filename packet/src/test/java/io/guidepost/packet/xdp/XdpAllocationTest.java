package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receiving, passing on and sending allocate nothing, once the compiler has done its work. */
class XdpAllocationTest {
    /** Rounds in which the compilers may finish: code that is still interpreted allocates in its method handles. */
    private static final int WARM_UP_ROUNDS_MAX = 300;

    private static final int WARM_UP_FRAMES = 20_000;

    /** An object of the smallest size for each of 250,000 frames would be 4 million bytes. */
    private static final long BYTES_MAX = 16 * 1024;

    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void aQuarterOfAMillionFramesAllocateNothing(String mode) throws IOException {
        assertThat(allocated(mode, 250_000)).isLessThan(BYTES_MAX);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void fiveMillionFramesAllocateNothing(String mode) throws IOException {
        assertThat(allocated(mode, 5_000_000)).isLessThan(BYTES_MAX);
    }

    private static long allocated(String mode, int number) throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port left = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=" + mode));
                Port right = wire.inRight(() -> FramePortOpener.open("xdp:right,mode=" + mode))) {
            Echo echo = new Echo(left, right);
            int quietRounds = 0;
            for (int round = 0; round < WARM_UP_ROUNDS_MAX && quietRounds < 10; round++) {
                quietRounds = echo.run(WARM_UP_FRAMES) == 0 ? quietRounds + 1 : 0;
            }
            return echo.run(number);
        }
    }

    /** Frames go from the left to the right and back, on one thread. */
    private static final class Echo {
        private final Port left;
        private final Port right;
        private final Burst asked;
        private final Burst asking;
        private final Burst answered;
        private final Burst answering;
        private final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

        Echo(Port left, Port right) {
            this.left = left;
            this.right = right;
            asking = left.tx(0).burst();
            answered = left.rx(0).burst();
            asked = right.rx(0).burst();
            answering = right.tx(0).burst();
        }

        long run(int frames) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int back = 0; back < frames; ) {
                for (int i = 0; i < 64 && asking.hasRoom(); i++) {
                    long at = asking.room();
                    Memory.put64(at, -1L);
                    Memory.put64(at + 8, 0x0000_0000_88b5_0000L);
                    asking.append(60);
                }
                left.tx(0).send(asking);
                int came = right.rx(0).receive(asked);
                for (int i = 0; i < came; i++) {
                    answering.take(asked, i);
                }
                right.tx(0).send(answering);
                back += left.rx(0).receive(answered);
            }
            return threads.getCurrentThreadAllocatedBytes() - before;
        }
    }
}
