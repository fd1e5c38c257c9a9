package io.guidepost.packet.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Burst;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Receiving, passing on and sending allocate nothing, once the compiler has done its work. */
class DpdkAllocationTest {
    private static final int WARM_UP_ROUNDS_MAX = 200;
    private static final int QUIET_ROUNDS = 10;
    private static final int WARM_UP_FRAMES = 64_000;

    /** An object of the smallest size for each of a million frames would be 16 million bytes. */
    private static final long BYTES_MAX = 16 * 1024;

    @Test
    void aMillionFramesAllocateNothing() throws IOException {
        try (DpdkPort from = Devices.open("net_null1");
                DpdkPort to = Devices.open("net_ring1")) {
            Burst in = from.rx(0).burst();
            Burst out = to.tx(0).burst();
            Burst arrived = to.rx(0).burst();
            int quiet = 0;
            for (int round = 0; round < WARM_UP_ROUNDS_MAX && quiet < QUIET_ROUNDS; round++) {
                quiet = allocated(from, to, in, out, arrived, WARM_UP_FRAMES) == 0 ? quiet + 1 : 0;
            }
            assertThat(allocated(from, to, in, out, arrived, 1_000_000)).isLessThan(BYTES_MAX);
        }
    }

    private static long allocated(DpdkPort from, DpdkPort to, Burst in, Burst out, Burst arrived, int number) {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int moved = 0; moved < number; ) {
            int received = from.rx(0).receive(in);
            for (int i = 0; i < received; i++) {
                out.take(in, i);
            }
            to.tx(0).send(out);
            moved += to.rx(0).receive(arrived);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
