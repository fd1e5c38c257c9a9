package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DatagramResponder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A host with several UDP ports: each answers from itself. */
class HostUdpPortsTest {
    private static final InterfaceAddress SERVER = InterfaceAddress.parse("10.0.0.2/24");
    private static final InterfaceAddress CLIENT = InterfaceAddress.parse("10.0.0.1/24");
    private static final List<Integer> PORTS = List.of(5001, 2641, 8899);

    private final MemoryLink link = new MemoryLink(FrameSettings.of("test").withFrames(1024, 2048));
    private final HostPort server = new HostPort(link.left(), HostPortSettings.of(1, SERVER).withUdpPorts(PORTS));
    private final HostPort client = new HostPort(link.right(), HostPortSettings.of(4000, CLIENT));
    private final Burst out = client.tx(0).burst();
    private final Burst in = client.rx(0).burst();

    /** Answers with the number of the port. */
    private DatagramResponder responder(int number) {
        Port port = server.udp(number);
        return new DatagramResponder(port.rx(0), port.tx(0), (from, i, to) -> {
            Memory.put16(to.room(), number);
            to.append(2, from, i);
        });
    }

    private void ask(int number, int port) {
        for (int i = 0; i < number; i++) {
            out.append(40, SERVER.high(), SERVER.low(), port);
        }
        assertThat(client.tx(0).send(out)).isZero();
    }

    @Test
    void eachAnswersFromItself() {
        List<DatagramResponder> responders = PORTS.stream().map(this::responder).toList();
        ask(1, 5001);
        for (int port : PORTS) {
            int answered = 0;
            for (int turn = 0; turn < 5; turn++) {
                responders.forEach(each -> each.work(0));
                answered += client.rx(0).receive(in);
                for (int i = 0; i < in.count(); i++) {
                    assertThat(in.peerPort(i)).isEqualTo(Memory.u16(in.offset(i)));
                }
                ask(10, port);
            }
            assertThat(answered).isGreaterThan(20);
            assertThat(server.udp(port).rx(0).statistics().packets()).isGreaterThan(20);
        }
        assertThat(server.rx(0).statistics().packets()).as("of the first alone").isLessThan(60);
    }

    @Test
    void whatNobodyAsksForInTimeIsDroppedAndCountedWhereItBelongs() {
        ask(1, 5001);
        Burst first = server.rx(0).burst();
        AtomicInteger woken = new AtomicInteger();
        ((Readiness.Notice) server.udp(2641).rx(0).readiness()).register().accept(woken::incrementAndGet);
        for (int turn = 0; turn < 10; turn++) {
            server.rx(0).receive(first);
            client.rx(0).receive(in);
            ask(50, 2641);
        }
        assertThat(woken.get()).as("a worker that would sleep").isPositive();
        assertThat(server.udp(2641).rx(0).statistics().drops(Drop.NO_MEMORY)).isPositive();
        assertThat(server.rx(0).statistics().drops(Drop.NO_MEMORY)).isZero();
        Burst second = server.udp(2641).rx(0).burst();
        assertThat(server.udp(2641).rx(0).receive(second)).isEqualTo(second.count()).isPositive();
        assertThat(server.udp(2641).rx(0).receive(second)).isZero();
    }

    @Test
    void onlyOtherPortsAreUnreachable() {
        ask(1, 5001);
        for (int turn = 0; turn < 3; turn++) {
            server.rx(0).receive(server.rx(0).burst());
            client.rx(0).receive(in);
            ask(1, 5002);
            ask(1, 8899);
        }
        assertThat(server.count(InterfaceCount.UNREACHABLE_ANSWERED)).isBetween(1L, 3L);
        assertThat(server.udp(8899).rx(0).receive(server.udp(8899).rx(0).burst())).isPositive();
        assertThatThrownBy(() -> server.udp(5002)).hasMessageContaining("[5001, 2641, 8899]");
        assertThatThrownBy(() -> HostPortSettings.of(1, SERVER).withUdpPorts(List.of(7, 7))).hasMessageContaining("different");
    }

    /** What waits for a neighbour leaves from the port that sent it. */
    @Test
    void whatWaitsKeepsItsPort() {
        Burst told = server.udp(8899).tx(0).burst();
        told.append(4, CLIENT.high(), CLIENT.low(), 4000);
        assertThat(server.udp(8899).tx(0).send(told)).isZero();
        client.rx(0).receive(in);
        server.rx(0).receive(server.rx(0).burst());
        assertThat(client.rx(0).receive(in)).isEqualTo(1);
        assertThat(in.peerPort(0)).isEqualTo(8899);
        assertThat(server.udp(8899).tx(0).statistics().packets()).isEqualTo(1);
    }
}
