package io.guidepost.packet.ip;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DatagramResponder;
import java.lang.management.ManagementFactory;

/** Two hosts on a link without a device: one asks, the other answers. */
final class TwoHosts implements AutoCloseable {
    private static final InterfaceAddress LEFT = InterfaceAddress.parse("10.0.0.2/24");
    private static final InterfaceAddress RIGHT = InterfaceAddress.parse("10.0.0.1/24");
    private static final int PORT = 5001;
    private static final int WARM_UP_ROUNDS_MAX = 400;

    final MemoryLink link = new MemoryLink(FrameSettings.of("two").withFrames(8192, 2048));
    final HostPort server = new HostPort(link.left(), HostPortSettings.of(PORT, LEFT));
    final HostPort client = new HostPort(link.right(), HostPortSettings.of(4000, RIGHT));
    final TxQueue tx = client.tx(0);
    final RxQueue rx = client.rx(0);
    final Burst out = tx.burst();
    final Burst in = rx.burst();
    final DatagramResponder responder = new DatagramResponder(server.rx(0), server.tx(0), (from, i, to) -> {
        Memory.copy(from.offset(i), to.room(), from.length(i));
        to.append(from.length(i), from, i);
    });

    TwoHosts() {
        // The first datagram has the client ask for the server; the others would not wait.
        while (rx.receive(in) == 0) {
            ask(1);
            responder.work(0);
        }
    }

    int ask(int number) {
        for (int i = 0; i < number && out.hasRoom(); i++) {
            out.append(40, LEFT.high(), LEFT.low(), PORT);
        }
        return tx.send(out);
    }

    /** Prints what a quarter of a million answers allocate, in a process in which the pool does not check its frames. */
    public static void main(String[] arguments) {
        try (TwoHosts two = new TwoHosts()) {
            int quietRounds = 0;
            for (int round = 0; round < WARM_UP_ROUNDS_MAX && quietRounds < 10; round++) {
                quietRounds = two.allocated(20_000) == 0 ? quietRounds + 1 : 0;
            }
            System.out.println("checked " + FramePool.CHECKED + ", bytes " + two.allocated(250_000));
        }
    }

    private long allocated(int number) {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int answered = 0; answered < number; ) {
            ask(64);
            responder.work(0);
            answered += rx.receive(in);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }
}
