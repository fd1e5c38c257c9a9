package io.guidepost.middlebox.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.worker.DutyCycle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A balancer of IPv6 in a VLAN, with two queues and workers. */
class BalancerIpv6Test {
    private static final int VLAN = 9;

    private final BoxWire wire = new BoxWire("link", 2);
    private final LoadBalancer balancer = balancer("fd00::5/64", "[fd00::80]:443");
    private final DutyCycle one = balancer.duty(0);
    private final DutyCycle two = balancer.duty(1);
    private long now = 10_000;

    private LoadBalancer balancer(String own, String service) {
        try {
            return new LoadBalancer(
                    wire.port(),
                    InterfaceAddress.parse(own),
                    VLAN,
                    VirtualService.parse(service),
                    List.of(backEnd("fd00::11"), backEnd("fd00::12")));
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static LoadBalancer.BackEnd backEnd(String address) throws Malformed {
        InterfaceAddress host = InterfaceAddress.parseHost(address);
        return new LoadBalancer.BackEnd(host.high(), host.low(), false);
    }

    @AfterEach
    void close() {
        wire.close();
    }

    private void work() {
        one.work(now);
        two.work(now);
    }

    /** All that it has sent, without the tag that each frame must have. */
    private List<byte[]> received(int queue) {
        List<byte[]> frames = wire.receivedOn(queue);
        assertThat(frames).allMatch(frame -> ByteBuffer.wrap(frame).getInt(12) == (0x8100_0000 | VLAN));
        return frames.stream().map(Packet::untagged).toList();
    }

    /** Both answer who they are; those whose last number is given also answer the probe, on the other queue. */
    private void comeUp(int... well) {
        now += 1_000;
        work();
        for (int host : new int[] {0x11, 0x12}) {
            byte[] who = Packet.neighbour(136, "fd00::" + Integer.toHexString(host), "fd00::5",
                    "fd00::" + Integer.toHexString(host), host);
            wire.sendTo(1, Packet.tagged(who, VLAN));
        }
        work();
        received(0);
        received(1);
        now += 1_000;
        work();
        List<byte[]> probes = received(0);
        assertThat(probes).hasSize(2).allMatch(Packet::isRightIpv6).allMatch(frame -> frame[67] == 2);
        for (int host : well) {
            byte[] segment = Packet.tcp6("fd00::" + Integer.toHexString(host), 443, "fd00::5", 1023, 0x12, 0x6770_0001);
            wire.sendTo(1, Packet.tagged(segment, VLAN));
        }
        work();
        assertThat(received(1)).hasSize(well.length).allMatch(Packet::isRightIpv6).allMatch(frame -> frame[67] == 4);
        work();
    }

    /** The back end that a client's segment goes to, 0 if none. */
    private int ask(int queue, int port) {
        return send(queue, Packet.tcp6("fd00::100", port, "fd00::80", 443, 2, 1));
    }

    /** The back end that a packet for the service goes to, 0 if none. */
    private int send(int queue, byte[] packet) {
        wire.sendTo(queue, Packet.tagged(packet, VLAN));
        work();
        // Beside it there may be questions of the balancer's own.
        List<byte[]> frames = received(queue).stream()
                .filter(each -> Packet.address(each, 38).equals("fd00:0:0:0:0:0:0:80"))
                .toList();
        return frames.isEmpty() ? 0 : frames.getFirst()[5];
    }

    @Test
    void connectionsGoToThoseWhoAnswerAndStayWhicheverQueueTheyComeBy() {
        assertThat(ask(0, 1)).isZero();
        comeUp(0x11, 0x12);
        assertThat(balancer.backEnds()).allMatch(LoadBalancer.Count::isUp);
        int[] shares = new int[0x13];
        for (int port = 1000; port < 1400; port++) {
            int to = ask(port & 1, port);
            shares[to]++;
            assertThat(ask(~port & 1, port)).isEqualTo(to);
        }
        assertThat(shares[0x11]).isBetween(140, 260);
        assertThat(shares[0x11] + shares[0x12]).isEqualTo(400);
        assertThat(balancer.backEnds().stream().mapToLong(LoadBalancer.Count::connections).sum()).isEqualTo(400);
        assertThat(balancer.counts()).containsEntry("forwarded", 800L).containsEntry("no_back_end", 1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void errorsGoToTheBackEndOfTheFlowThatTheyQuote(int type) {
        comeUp(0x11, 0x12);
        for (int port = 1000; port < 1020; port++) {
            int to = ask(0, port);
            byte[] segment = Packet.tcp6("fd00::80", 443, "fd00::100", port, 0x18, 1);
            byte[] fragment = Packet.ip("fd00::80", "fd00::100", 6, Arrays.copyOfRange(segment, 54, 74), 1, 64);
            for (byte[] answer : List.of(segment, fragment)) {
                byte[] quoted = Arrays.copyOfRange(answer, 14, answer.length);
                assertThat(send(1, Packet.icmpv6("fd00::1", "fd00::80", type, 1280, quoted, 64))).isEqualTo(to);
            }
        }
        byte[] other = Packet.tcp6("fd00::81", 443, "fd00::100", 1000, 0x18, 1);
        for (int length : new int[] {14, 53, 54, 61, 74}) {
            byte[] quoted = Arrays.copyOfRange(other, 14, length);
            assertThat(send(1, Packet.icmpv6("fd00::1", "fd00::80", type, 1280, quoted, 64))).isZero();
        }
        assertThat(balancer.counts()).containsEntry("icmp_error", 40L);
    }

    /** By whichever queue they come: the workers share what they know. */
    @Test
    void fragmentsFollowTheirFirst() {
        comeUp(0x11, 0x12);
        byte[] segment = Packet.tcp6("fd00::100", 7, "fd00::80", 443, 0x18, 1);
        byte[] first = Packet.ip("fd00::100", "fd00::80", 6, Arrays.copyOfRange(segment, 54, 78), 1, 64);
        byte[] later = Packet.ip("fd00::100", "fd00::80", 6, new byte[16], 24, 64);
        assertThat(send(1, later)).isZero();
        int to = ask(0, 7);
        assertThat(send(0, first)).isEqualTo(to);
        assertThat(send(1, later)).isEqualTo(to);
        assertThat(balancer.counts()).containsEntry("fragment_unknown", 1L);
    }

    @Test
    void whoDoesNotAnswerGetsNothing() {
        comeUp(0x12);
        for (int port = 1; port < 50; port++) {
            assertThat(ask(0, port)).isEqualTo(0x12);
        }
    }

    @Test
    void itSaysWhereTheServiceIsAndKeepsToItsVlan() {
        byte[] who = Packet.neighbour(135, "fd00::100", "ff02::1:ff00:80", "fd00::80", 0x77);
        wire.sendOn(1, Packet.tagged(who, VLAN));
        work();
        byte[] answer = received(1).getFirst();
        assertThat(Packet.isRightIpv6(answer)).isTrue();
        assertThat(Packet.address(answer, 62)).isEqualTo("fd00:0:0:0:0:0:0:80");
        comeUp(0x11, 0x12);
        wire.sendTo(0, Packet.tcp6("fd00::100", 1, "fd00::80", 443, 2, 1));
        work();
        assertThat(received(0)).isEmpty();
        assertThatThrownBy(() -> balancer("fd00::5/64", "10.0.0.80:443")).hasMessageContaining("not of one family");
    }
}
