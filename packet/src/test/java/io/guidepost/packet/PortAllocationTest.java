package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramResponder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Receiving, answering and sending allocate nothing, once the compiler has done its work. */
class PortAllocationTest {
    /** Rounds in which the compilers may finish: code that is still interpreted allocates in its method handles. */
    private static final int WARM_UP_ROUNDS_MAX = 200;

    private static final int WARM_UP_PACKETS = 20_000;

    /** An object of the smallest size for each of 250,000 packets would be 4 million bytes. */
    private static final long BYTES_MAX = 16 * 1024;

    @ParameterizedTest
    @CsvSource({"127.0.0.1, OFF", "127.0.0.1, ON", "::1, ON", "0.0.0.0, ON", "::, ON"})
    void aQuarterOfAMillionAnswersAllocateNothing(String bound, SegmentationOffload trains) throws IOException {
        assertThat(allocated(bound, trains, 250_000)).isLessThan(BYTES_MAX);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"127.0.0.1, OFF", "127.0.0.1, ON", "::1, ON", "0.0.0.0, ON", "::, ON"})
    void fiveMillionAnswersAllocateNothing(String bound, SegmentationOffload trains) throws IOException {
        assertThat(allocated(bound, trains, 5_000_000)).isLessThan(BYTES_MAX);
    }

    private static long allocated(String bound, SegmentationOffload trains, int number) throws IOException {
        Machine.assumeLinux();
        String loopback = bound.contains(":") ? "::1" : "127.0.0.1";
        try (Port server = open(bound, trains);
                Port client = open(loopback, SegmentationOffload.ON)) {
            DatagramResponder responder = new DatagramResponder(server.rx(0), server.tx(0), PortAllocationTest::echo);
            InetSocketAddress to = new InetSocketAddress(
                    PortStage.address(loopback), server.localAddress().getPort());
            int quietRounds = 0;
            for (int round = 0; round < WARM_UP_ROUNDS_MAX && quietRounds < 10; round++) {
                quietRounds = allocated(client, responder, to, WARM_UP_PACKETS) == 0 ? quietRounds + 1 : 0;
            }
            return allocated(client, responder, to, number);
        }
    }

    private static long allocated(Port client, DatagramResponder responder, InetSocketAddress to, int number) {
        Burst out = client.tx(0).burst();
        Burst in = client.rx(0).burst();
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long high = Addresses.high(to.getAddress());
        long low = Addresses.low(to.getAddress());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int answered = 0; answered < number; ) {
            for (int i = 0; i < 64; i++) {
                out.append(40, high, low, to.getPort());
            }
            client.tx(0).send(out);
            responder.work(0);
            int got = client.rx(0).receive(in);
            while (got > 0) {
                answered += got;
                got = client.rx(0).receive(in);
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static Port open(String address, SegmentationOffload trains) throws IOException {
        return UdpPorts.open(UdpSettings.of(new InetSocketAddress(PortStage.address(address), 0))
                .withSegmentationOffload(trains)
                .withDatagramBytesMax(1_400));
    }

    private static void echo(Burst in, int index, Burst out) {
        MemorySegment.copy(in.segment(), in.offset(index), out.segment(), out.room(), in.length(index));
        out.append(in.length(index), in, index);
    }
}
