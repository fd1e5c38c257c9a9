package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Addresses;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsideTest {
    private static final int SENDERS = 24;
    private static final DatagramHandler ECHO = (in, i, out) -> {
        out.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, out.room(), (byte) 1);
        out.append(1, in, i);
    };

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void kernel() {
        Assumptions.assumeTrue(SystemCall.AVAILABLE, "Linux on x86-64 or aarch64 has this");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Port port(String address, int queues) throws IOException {
        Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(PortStage.address(address), 0))
                .withBackEnd(UdpBackEnd.KERNEL)
                .withQueues(queues));
        open.add(port);
        return port;
    }

    private static Aside aside(Port port) {
        return port.aside().orElseThrow();
    }

    private static void set(Aside aside, String address, int bits) {
        aside.set(Addresses.high(PortStage.address(address)), Addresses.low(PortStage.address(address)), bits);
    }

    /** Sends from several ports of an address, and gives how many of them came aside when all have come. */
    private int cameAside(Port server, String from, InetSocketAddress to) throws IOException {
        List<DutyCycle> ordinary = new ArrayList<>();
        List<DutyCycle> apart = new ArrayList<>();
        for (int i = 0; i < server.queues(); i++) {
            ordinary.add(new DatagramResponder(server.rx(i), server.tx(i), ECHO));
            apart.add(aside(server).responder(i, ECHO));
        }
        for (int i = 0; i < SENDERS; i++) {
            Port sender = port(from, 1);
            new TestPeer(sender).send(TestPeer.pattern(8, i), to);
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
        set(aside(server), "127.0.9.77", 24);
        assertThat(cameAside(server, "127.0.9.1", server.localAddress())).isEqualTo(SENDERS);
        assertThat(cameAside(server, "127.0.8.1", server.localAddress())).isZero();
        assertThat(aside(server).networks()).isEqualTo(1);
        assertThat(aside(server).taken()).isEqualTo(1);
        assertThat(aside(server).received()).hasSize(queues);
        assertThat(aside(server).received().stream().mapToLong(QueueStatistics::packets).sum()).isEqualTo(SENDERS);
    }

    @Test
    void bothFamiliesOfAPortOfEveryAddress() throws IOException {
        Port server = port("::", 2);
        InetSocketAddress four = new InetSocketAddress(PortStage.address("127.0.0.5"), server.localAddress().getPort());
        InetSocketAddress six = new InetSocketAddress(PortStage.address("::1"), server.localAddress().getPort());
        set(aside(server), "127.0.9.0", 24);
        assertThat(cameAside(server, "127.0.9.1", four)).isEqualTo(SENDERS);
        assertThat(cameAside(server, "::1", six)).isZero();
        Port other = port("::", 2);
        set(aside(other), "::1", 56);
        InetSocketAddress otherFour = new InetSocketAddress(four.getAddress(), other.localAddress().getPort());
        assertThat(cameAside(other, "::1", new InetSocketAddress(six.getAddress(), other.localAddress().getPort())))
                .isEqualTo(SENDERS);
        assertThat(cameAside(other, "127.0.9.1", otherFour)).isZero();
    }

    @Test
    void whatCameAsideIsAnsweredFromTheSameAddress() throws IOException {
        Port server = port("0.0.0.0", 1);
        InetSocketAddress asked = new InetSocketAddress(PortStage.address("127.0.0.6"), server.localAddress().getPort());
        set(aside(server), "127.0.9.0", 24);
        DutyCycle apart = aside(server).responder(0, ECHO);
        Port client = port("127.0.9.1", 1);
        new TestPeer(client).send(TestPeer.pattern(8, 1), asked);
        Eventually.await("the question", () -> apart.work(0) == 1);
        assertThat(new TestPeer(client).receive(1).getFirst().peer()).isEqualTo(asked);
    }

    /** A port with an aside of the test's own, whose clock it sets. */
    private Aside withClock(Port server, AtomicLong clock) throws IOException {
        UdpSettings settings = UdpSettings.of(server.localAddress()).withBackEnd(UdpBackEnd.KERNEL);
        int number = ((Readiness.Descriptor) server.rx(0).readiness()).number();
        Aside aside = new Aside(settings, List.of(new SharedDescriptor(number)), server.localAddress(), clock::get);
        open.add(aside::close);
        return aside;
    }

    @Test
    void aNetworkGoesWhenItsTimeIsOverAndWhatItSentIsStillFound() throws IOException {
        Port server = port("127.0.0.1", 1);
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
        Aside aside = withClock(server, clock);
        DutyCycle apart = aside.responder(0, ECHO);
        assertThat(apart.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(apart.work(0)).isZero();
        set(aside, "127.0.9.0", 24);
        assertThat(apart.restNanos()).isEqualTo(PacketLimits.ASIDE_REST_NANOS);
        clock.addAndGet(PacketLimits.ASIDE_NANOS - 1);
        assertThat(aside.networks()).isEqualTo(1);
        set(aside, "127.0.9.0", 24);
        clock.addAndGet(PacketLimits.ASIDE_NANOS - 1);
        assertThat(aside.watched()).isTrue();
        assertThat(aside.networks()).as("said again in time").isEqualTo(1);
        Port late = port("127.0.9.1", 1);
        new TestPeer(late).send(TestPeer.pattern(8, 1), server.localAddress());
        clock.incrementAndGet();
        Eventually.await("what came before the end", () -> apart.work(0) == 1);
        assertThat(aside.networks()).isZero();
        new TestPeer(late).send(TestPeer.pattern(8, 2), server.localAddress());
        assertThat(new TestPeer(server).receive(1)).hasSize(1);
        clock.addAndGet(PacketLimits.ASIDE_NANOS);
        assertThat(apart.work(0)).isZero();
        assertThat(apart.restNanos()).as("nothing more can have come").isEqualTo(Long.MAX_VALUE);
        set(aside, "127.0.9.0", 24);
        new TestPeer(late).send(TestPeer.pattern(8, 3), server.localAddress());
        Eventually.await("again aside", () -> apart.work(0) == 1);
        assertThat(aside.taken()).isEqualTo(2);
    }

    @Test
    void moreNetworksThanThereIsRoomForAreRefusedAndCounted() throws IOException {
        Port server = port("127.0.0.1", 1);
        AtomicLong clock = new AtomicLong();
        Aside aside = withClock(server, clock);
        for (int i = 0; i < PacketLimits.ASIDE_NETWORKS_MAX + 3; i++) {
            set(aside, i % 2 == 0 ? "127.1." + i + ".0" : "2001:db8:" + i + ":ff::", i % 2 == 0 ? 24 : 56);
            clock.addAndGet(PacketLimits.ASIDE_CHANGE_NANOS);
        }
        assertThat(aside.networks()).isEqualTo(PacketLimits.ASIDE_NETWORKS_MAX);
        assertThat(aside.refused()).isEqualTo(3);
        assertThat(aside.taken()).isEqualTo(PacketLimits.ASIDE_NETWORKS_MAX);
        set(aside, "fe80::1", 56);
        assertThat(aside.refused()).as("a link-local one is left alone").isEqualTo(3);
    }

    @Test
    void networksAreAddedNoFasterThanIsCheap() throws IOException {
        AtomicLong clock = new AtomicLong();
        Aside aside = withClock(port("127.0.0.1", 1), clock);
        set(aside, "127.0.9.0", 24);
        clock.addAndGet(PacketLimits.ASIDE_CHANGE_NANOS - 1);
        set(aside, "127.0.8.0", 24);
        assertThat(aside.networks()).isEqualTo(1);
        clock.incrementAndGet();
        set(aside, "127.0.8.0", 24);
        assertThat(aside.networks()).isEqualTo(2);
        assertThat(aside.refused()).isZero();
    }

    @Test
    void nobodyElseJoinsAPortBecauseOfIt() throws IOException {
        Port server = port("127.0.0.1", 1);
        set(aside(server), "127.0.9.0", 24);
        UdpSettings same = UdpSettings.of(server.localAddress()).withBackEnd(UdpBackEnd.KERNEL).withQueues(2);
        assertThatThrownBy(() -> UdpPorts.open(same)).hasMessageContaining("in use");
    }

    @Test
    void onceClosedNothingIsSetAside() throws IOException {
        Port server = port("127.0.0.1", 1);
        Aside aside = aside(server);
        set(aside, "127.0.9.0", 24);
        server.close();
        set(aside, "127.0.8.0", 24);
        assertThat(aside.networks()).isEqualTo(1);
        assertThat(aside.responder(0, ECHO).work(0)).isZero();
        UdpPorts.open(UdpSettings.of(server.localAddress()).withBackEnd(UdpBackEnd.KERNEL)).close();
    }
}
