package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.TxBuffer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports of frames allocate nothing, once the compiler has done its work. */
class FrameAllocationTest {
    private static final int WARM_UP_ROUNDS_MAX = 400;
    private static final int WARM_UP_FRAMES = 20_000;

    /** An object of the smallest size for each of 250,000 frames would be 4 million bytes. */
    private static final long BYTES_MAX = 16 * 1024;

    @ParameterizedTest
    @ValueSource(strings = {"packet", "tap"})
    void ports(String kind) throws IOException, InterruptedException {
        Namespaces.runOptimized(FrameAllocationTest.class, kind);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"packet-long", "tap-long"})
    void portsForMillions(String kind) throws IOException, InterruptedException {
        Namespaces.runOptimized(FrameAllocationTest.class, kind);
    }

    @Test
    void memory() {
        MemoryLink link = new MemoryLink(FrameSettings.of("test"));
        assertThat(settled(link.left(), link.right(), 250_000)).isLessThan(BYTES_MAX);
    }

    /** The scenes, each in a network namespace of its own. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int number = args[0].endsWith("-long") ? 5_000_000 : 250_000;
        String kind = args[0].replace("-long", "");
        Namespaces.shell("sysctl -qw net.ipv6.conf.default.disable_ipv6=1");
        if (kind.equals("packet")) {
            Namespaces.shell("ip link add v0 type veth peer name v1; ip link set v0 up; ip link set v1 up");
        }
        try (Port left = FramePortOpener.open(kind.equals("packet") ? "packet:v0" : "tap:v0");
                Port right = FramePortOpener.open("packet:" + (kind.equals("packet") ? "v1" : "v0"))) {
            long bytes = settled(left, right, number);
            System.out.println(bytes + " bytes for " + number + " frames");
            assertThat(bytes).isLessThan(BYTES_MAX);
        }
        Namespaces.done(args[0]);
    }

    private static long settled(Port left, Port right, int number) {
        Rounds rounds = new Rounds(left, right);
        int quiet = 0;
        for (int round = 0; round < WARM_UP_ROUNDS_MAX && quiet < 10; round++) {
            quiet = rounds.allocated(WARM_UP_FRAMES) == 0 ? quiet + 1 : 0;
        }
        return rounds.allocated(number);
    }

    /** Frames from one port to the other, and back by a forwarder. */
    private static final class Rounds {
        private final Port left;
        private final long leftMac;
        private final long rightMac;
        private final Burst out;
        private final Burst in;
        private final FrameForwarder forwarder;

        Rounds(Port left, Port right) {
            this.left = left;
            leftMac = left.mac();
            rightMac = right.mac();
            out = left.tx(0).burst();
            in = left.rx(0).burst();
            forwarder = new FrameForwarder(right.rx(0), (burst, i) -> 0, new TxBuffer(right.tx(0)));
        }

        long allocated(int number) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            long last = System.nanoTime();
            for (int seen = 0; seen < number; ) {
                for (int i = 0; i < 64 && out.hasRoom(); i++) {
                    EchoHost.datagram(out.room(), leftMac, rightMac, i);
                    out.append(60);
                }
                left.tx(0).send(out);
                forwarder.work(0);
                int got = left.rx(0).receive(in);
                while (got > 0) {
                    seen += got;
                    last = System.nanoTime();
                    got = left.rx(0).receive(in);
                }
                assertFresh(last);
            }
            return threads.getCurrentThreadAllocatedBytes() - before;
        }

        private static void assertFresh(long last) {
            if (System.nanoTime() - last > 10_000_000_000L) {
                throw new AssertionError("no frame in ten seconds");
            }
        }
    }
}
