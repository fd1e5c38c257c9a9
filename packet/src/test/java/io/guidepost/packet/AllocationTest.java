package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Receiving, answering and sending allocate nothing, once the compiler has done its work. */
class AllocationTest {
    private static final int WARM_UP = 600_000;
    private static final int MEASURED = 1_000_000;

    /** One object of the smallest size for every packet would be 16 million. */
    private static final long BYTES_MAX = 64 * 1024;

    @ParameterizedTest
    @CsvSource({"127.0.0.1, OFF, ON", "127.0.0.1, ON, ON", "::1, ON, ON", "0.0.0.0, ON, ON", "::, ON, ON"})
    void aMillionAnswersAllocateNothing(String bound, Trains trains, Trains clientTrains) throws IOException {
        assumeTrue(SystemCall.AVAILABLE, "the channels of the JDK allocate an address for every datagram");
        String loopback = bound.contains(":") ? "::1" : "127.0.0.1";
        try (Port server = open(bound, trains);
                Port client = open(loopback, clientTrains)) {
            Responder responder = new Responder(server.rx(0), server.tx(0), AllocationTest::echo);
            InetSocketAddress to = new InetSocketAddress(
                    Stage.address(loopback), server.localAddress().getPort());
            exchange(client, responder, to, WARM_UP);
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            exchange(client, responder, to, MEASURED);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
        }
    }

    private static Port open(String address, Trains trains) throws IOException {
        return Udp.open(UdpSettings.of(new InetSocketAddress(Stage.address(address), 0))
                .withTrains(trains)
                .withDatagramBytesMax(1_400));
    }

    private static void echo(Burst in, int index, Burst out) {
        MemorySegment.copy(in.segment(), in.offset(index), out.segment(), out.room(), in.length(index));
        out.append(in.length(index), in, index);
    }

    private static void exchange(Port client, Responder responder, InetSocketAddress to, int number) {
        long high = Addresses.high(to.getAddress());
        long low = Addresses.low(to.getAddress());
        int port = to.getPort();
        Burst out = client.tx(0).burst();
        Burst in = client.rx(0).burst();
        for (int answered = 0; answered < number; ) {
            for (int i = 0; i < 64; i++) {
                out.append(40, high, low, port);
            }
            client.tx(0).send(out);
            responder.work(0);
            int got = client.rx(0).receive(in);
            while (got > 0) {
                answered += got;
                got = client.rx(0).receive(in);
            }
        }
    }
}
