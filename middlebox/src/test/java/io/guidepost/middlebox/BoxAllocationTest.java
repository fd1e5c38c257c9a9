package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.guidepost.middlebox.balance.LoadBalancer;
import io.guidepost.middlebox.balance.VirtualService;
import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.middlebox.nat.Nat;
import io.guidepost.middlebox.nat.NatSettings;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Router, translator and balancer allocate nothing for a packet, once the compiler has done its work. */
class BoxAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WINDOW_TURNS = 500;
    private static final int WINDOWS_MAX = 1_000;

    private final BoxWire left = new BoxWire("left");
    private final BoxWire right = new BoxWire("right");

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private byte[] toBox(byte[] frame) {
        byte[] copy = frame.clone();
        System.arraycopy(Packet.ethernet(left.port().mac(), 0, 0, new byte[0]), 0, copy, 0, 6);
        return copy;
    }

    /** Has a duty learn the neighbours on the right. */
    private void meets(DutyCycle duty, byte[]... frames) {
        left.send(frames);
        duty.work(0);
        right.answer();
        duty.work(0);
        assertThat(right.received()).hasSize(frames.length);
    }

    /** Gives frames to a duty, burst by burst, until it has allocated nothing in several windows; all must leave. */
    private static void settles(DutyCycle duty, BoxWire from, BoxWire to, byte[]... frames) {
        Port sender = from.link().left();
        Port receiver = to.link().left();
        Burst out = sender.tx(0).burst();
        Burst in = receiver.rx(0).burst();
        int quiet = 0;
        for (int window = 0; window < WINDOWS_MAX && quiet < 5; window++) {
            long bytes = 0;
            int left = 0;
            for (int turn = 0; turn < WINDOW_TURNS; turn++) {
                for (int i = 0; i < out.capacity(); i++) {
                    Packet.append(out, frames[i % frames.length]);
                }
                assertThat(sender.tx(0).send(out)).isZero();
                long before = THREADS.getCurrentThreadAllocatedBytes();
                duty.work(turn);
                bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
                for (int got = receiver.rx(0).receive(in); got > 0; got = receiver.rx(0).receive(in)) {
                    left += got;
                }
            }
            assertThat(left).isEqualTo(WINDOW_TURNS * out.capacity());
            quiet = bytes == 0 ? quiet + 1 : 0;
        }
        assertThat(quiet).as("windows of %d turns without an allocation", WINDOW_TURNS).isEqualTo(5);
    }

    @Test
    void router() throws Exception {
        RoutingTable routes = RoutingTable.parse(
                "routes", "port 1 10.0.0.1/24\nport 2 192.0.2.1/24\nport 1 fd01::1/64\nport 2 fd02::1/64\n", 2);
        DutyCycle duty = new IpRouter(List.of(left.port(), right.port()), routes).duty(0);
        right.neighbour("192.0.2.8", 0x88).neighbour(5, "192.0.2.8", 0x88).neighbour("fd02::8", 0x88);
        byte[] four = toBox(Packet.udp("10.0.0.2", 1, "192.0.2.8", 2, "four"));
        byte[] six = toBox(Packet.udp("fd01::2", 1, "fd02::8", 2, "six"));
        meets(duty, four, Packet.tagged(four, 5), six);
        settles(duty, left, right, four, Packet.tagged(four, 5), six);
    }

    @Test
    void translator() {
        NatSettings settings = new NatSettings(
                new InterfaceAddress(10 << 24 | 1, 24), new InterfaceAddress(192 << 24 | 2 << 8 | 1, 24), 0, 1024, 65535,
                4096, NatSettings.ENDPOINT_INDEPENDENT, true);
        DutyCycle duty = new Nat(left.port(), right.port(), settings, new SplittableRandom(1)).duty(0);
        right.neighbour("192.0.2.8", 0x88);
        byte[][] frames = new byte[50][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = toBox(i % 2 == 0
                    ? Packet.udp("10.0.0.2", 3000 + i, "192.0.2.8", 2, "out")
                    : Packet.tcp("10.0.0.2", 3000, "192.0.2.8", 2 + i, 0x10));
        }
        meets(duty, frames[0]);
        settles(duty, left, right, frames);
    }

    @Test
    void balancer() throws Exception {
        DutyCycle duty = new LoadBalancer(
                        left.port(),
                        InterfaceAddress.parse("10.0.0.5/24"),
                        LinkQueue.UNTAGGED,
                        VirtualService.parse("udp:10.0.0.80:53"),
                        List.of(new LoadBalancer.BackEnd(10 << 24 | 11, false)))
                .duty(0);
        left.neighbour("10.0.0.11", 0x11);
        duty.work(-2_000);
        left.answer();
        duty.work(-2_000);
        left.send(toBox(Packet.icmp("10.0.0.11", "10.0.0.5", 0, 0, 0x6770 << 16, new byte[0])));
        duty.work(-1_500);
        duty.work(0);
        left.received();
        byte[][] frames = new byte[50][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = toBox(Packet.udp("10.0.0.2", 3000 + i, "10.0.0.80", 53, "question"));
        }
        settles(duty, left, left, frames);
    }
}
