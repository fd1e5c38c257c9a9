package io.guidepost.packet.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Machine;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloodSocketsTest {
    private static final int SENDERS = 24;
    private static final DatagramHandler ECHO = (in, i, out) -> {
        out.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, out.room(), (byte) 1);
        out.append(1, in, i);
    };

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<Port, FloodSockets> sockets = new HashMap<>();

    @BeforeEach
    void kernel() {
        Machine.assumeLinux();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Port port(String address, int queues) throws IOException {
        Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address(address), 0))
                .withBackEnd(UdpBackEnd.KERNEL)
                .withQueues(queues));
        open.add(port);
        return port;
    }

    /** The flood sockets of a port, by the system's clock. */
    private FloodSockets flood(Port port) {
        return sockets.computeIfAbsent(
                port, each -> new FloodSockets(each.reuseportGroup().orElseThrow(), System::nanoTime));
    }

    /** Sends a datagram. */
    private static void send(Port from, InetSocketAddress to) {
        Burst out = from.tx(0).burst();
        out.append(8, Addresses.high(to.getAddress()), Addresses.low(to.getAddress()), to.getPort());
        Eventually.await("the port has a place for the datagram", () -> from.tx(0).send(out) == 0);
    }

    /** Receives a datagram; gives where it is from. */
    private static InetSocketAddress receive(Port at) {
        Burst in = at.rx(0).burst();
        Eventually.await("a datagram", () -> at.rx(0).receive(in) == 1);
        return new InetSocketAddress(Addresses.toInetAddress(in.peerHigh(0), in.peerLow(0)), in.peerPort(0));
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private static void set(FloodSockets flood, String address, int bits) {
        flood.set(Addresses.high(address(address)), Addresses.low(address(address)), bits);
    }

    /** Sends from several ports of an address, and gives how many of them came aside when all have come. */
    private int cameAside(Port server, String from, InetSocketAddress to) throws IOException {
        List<DutyCycle> ordinary = new ArrayList<>();
        List<DutyCycle> apart = new ArrayList<>();
        for (int i = 0; i < server.queues(); i++) {
            ordinary.add(new DatagramResponder(server.rx(i), server.tx(i), ECHO));
            apart.add(new FloodResponder(flood(server), i, ECHO));
        }
        for (int i = 0; i < SENDERS; i++) {
            Port sender = port(from, 1);
            send(sender, to);
        }
        int[] came = new int[2];
        Eventually.await("all that was sent to " + to, () -> {
            ordinary.forEach(each -> came[0] += each.work(0));
            apart.forEach(each -> came[1] += each.work(0));
            return came[0] + came[1] == SENDERS;
        });
        return came[1];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void onlyWhoIsSetAsideComesAside(int queues) throws IOException {
        Port server = port("127.0.0.1", queues);
        assertThat(cameAside(server, "127.0.9.1", server.localAddress())).as("before").isZero();
        set(flood(server), "127.0.9.77", 24);
        assertThat(cameAside(server, "127.0.9.1", server.localAddress())).isEqualTo(SENDERS);
        assertThat(cameAside(server, "127.0.8.1", server.localAddress())).isZero();
        assertThat(flood(server).networks()).isEqualTo(1);
        assertThat(flood(server).taken()).isEqualTo(1);
        assertThat(flood(server).received()).hasSize(queues);
        assertThat(flood(server).received().stream().mapToLong(QueueStatistics::packets).sum()).isEqualTo(SENDERS);
    }

    @Test
    void bothFamiliesOfAPortOfEveryAddress() throws IOException {
        Port server = port("::", 2);
        InetSocketAddress four = new InetSocketAddress(address("127.0.0.5"), server.localAddress().getPort());
        InetSocketAddress six = new InetSocketAddress(address("::1"), server.localAddress().getPort());
        set(flood(server), "127.0.9.0", 24);
        assertThat(cameAside(server, "127.0.9.1", four)).isEqualTo(SENDERS);
        assertThat(cameAside(server, "::1", six)).isZero();
        Port other = port("::", 2);
        set(flood(other), "::1", 56);
        InetSocketAddress otherFour = new InetSocketAddress(four.getAddress(), other.localAddress().getPort());
        assertThat(cameAside(other, "::1", new InetSocketAddress(six.getAddress(), other.localAddress().getPort())))
                .isEqualTo(SENDERS);
        assertThat(cameAside(other, "127.0.9.1", otherFour)).isZero();
    }

    @Test
    void whatCameAsideIsAnsweredFromTheSameAddress() throws IOException {
        Port server = port("0.0.0.0", 1);
        InetSocketAddress asked = new InetSocketAddress(address("127.0.0.6"), server.localAddress().getPort());
        set(flood(server), "127.0.9.0", 24);
        DutyCycle apart = new FloodResponder(flood(server), 0, ECHO);
        Port client = port("127.0.9.1", 1);
        send(client, asked);
        Eventually.await("the question", () -> apart.work(0) == 1);
        assertThat(receive(client)).isEqualTo(asked);
    }

    /** Flood sockets whose clock the test sets. */
    private static FloodSockets withClock(Port server, AtomicLong clock) {
        return new FloodSockets(server.reuseportGroup().orElseThrow(), clock::get);
    }

    @Test
    void aNetworkGoesWhenItsTimeIsOverAndWhatItSentIsStillFound() throws IOException {
        Port server = port("127.0.0.1", 1);
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
        FloodSockets flood = withClock(server, clock);
        DutyCycle apart = new FloodResponder(flood, 0, ECHO);
        assertThat(apart.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(apart.work(0)).isZero();
        set(flood, "127.0.9.0", 24);
        assertThat(apart.restNanos()).isEqualTo(AdmissionLimits.FLOOD_REST_NANOS);
        clock.addAndGet(AdmissionLimits.FLOOD_NANOS - 1);
        assertThat(flood.networks()).isEqualTo(1);
        set(flood, "127.0.9.0", 24);
        clock.addAndGet(AdmissionLimits.FLOOD_NANOS - 1);
        assertThat(flood.watched()).isTrue();
        assertThat(flood.networks()).as("said again in time").isEqualTo(1);
        Port late = port("127.0.9.1", 1);
        send(late, server.localAddress());
        clock.incrementAndGet();
        Eventually.await("what came before the end", () -> apart.work(0) == 1);
        assertThat(flood.networks()).isZero();
        send(late, server.localAddress());
        receive(server);
        clock.addAndGet(AdmissionLimits.FLOOD_NANOS);
        assertThat(apart.work(0)).isZero();
        assertThat(apart.restNanos()).as("nothing more can have come").isEqualTo(Long.MAX_VALUE);
        set(flood, "127.0.9.0", 24);
        send(late, server.localAddress());
        Eventually.await("again aside", () -> apart.work(0) == 1);
        assertThat(flood.taken()).isEqualTo(2);
    }

    /** As long as a network fills its flood socket it stays there, though no policy sets it again. */
    @Test
    void aNetworkThatStillFloodsStays() throws IOException {
        Port server = port("127.0.0.1", 1);
        AtomicLong clock = new AtomicLong();
        FloodSockets flood = withClock(server, clock);
        DutyCycle apart = new FloodResponder(flood, 0, ECHO);
        set(flood, "127.0.9.0", 24);
        Port flooder = port("127.0.9.1", 1);
        clock.addAndGet(AdmissionLimits.FLOOD_NANOS - 1);
        int bursts = AdmissionLimits.RENEW_EACH;
        for (int i = 0; i < bursts * AdmissionLimits.FLOOD_BURST; i++) {
            send(flooder, server.localAddress());
        }
        for (int burst = 0; burst < bursts; burst++) {
            assertThat(apart.work(0)).isEqualTo(AdmissionLimits.FLOOD_BURST);
        }
        clock.addAndGet(AdmissionLimits.FLOOD_NANOS - 1);
        apart.work(0);
        assertThat(flood.networks()).isEqualTo(1);
        clock.incrementAndGet();
        apart.work(0);
        assertThat(flood.networks()).isZero();
    }

    @Test
    void moreNetworksThanThereIsRoomForAreRefusedAndCounted() throws IOException {
        Port server = port("127.0.0.1", 1);
        AtomicLong clock = new AtomicLong();
        FloodSockets flood = withClock(server, clock);
        for (int i = 0; i < AdmissionLimits.FLOOD_NETWORKS_MAX + 3; i++) {
            set(flood, i % 2 == 0 ? "127.1." + i + ".0" : "2001:db8:" + i + ":ff::", i % 2 == 0 ? 24 : 56);
            clock.addAndGet(AdmissionLimits.FILTER_CHANGE_NANOS);
        }
        assertThat(flood.networks()).isEqualTo(AdmissionLimits.FLOOD_NETWORKS_MAX);
        assertThat(flood.refused()).isEqualTo(3);
        assertThat(flood.taken()).isEqualTo(AdmissionLimits.FLOOD_NETWORKS_MAX);
        set(flood, "fe80::1", 56);
        assertThat(flood.refused()).as("a link-local one is left alone").isEqualTo(3);
    }

    @Test
    void networksAreAddedNoFasterThanIsCheap() throws IOException {
        AtomicLong clock = new AtomicLong();
        FloodSockets flood = withClock(port("127.0.0.1", 1), clock);
        set(flood, "127.0.9.0", 24);
        clock.addAndGet(AdmissionLimits.FILTER_CHANGE_NANOS - 1);
        set(flood, "127.0.8.0", 24);
        assertThat(flood.networks()).isEqualTo(1);
        clock.incrementAndGet();
        set(flood, "127.0.8.0", 24);
        assertThat(flood.networks()).isEqualTo(2);
        assertThat(flood.refused()).isZero();
    }

    @Test
    void nobodyElseJoinsAPortBecauseOfIt() throws IOException {
        Port server = port("127.0.0.1", 1);
        set(flood(server), "127.0.9.0", 24);
        UdpSettings same = UdpSettings.of(server.localAddress()).withBackEnd(UdpBackEnd.KERNEL).withQueues(2);
        assertThatThrownBy(() -> UdpPorts.open(same)).hasMessageContaining("in use");
    }

    @Test
    void onceClosedNothingIsSetAside() throws IOException {
        Port server = port("127.0.0.1", 1);
        FloodSockets flood = flood(server);
        set(flood, "127.0.9.0", 24);
        server.close();
        set(flood, "127.0.8.0", 24);
        assertThat(flood.networks()).isEqualTo(1);
        assertThat(new FloodResponder(flood, 0, ECHO).work(0)).isZero();
        UdpPorts.open(UdpSettings.of(server.localAddress()).withBackEnd(UdpBackEnd.KERNEL)).close();
    }
}
