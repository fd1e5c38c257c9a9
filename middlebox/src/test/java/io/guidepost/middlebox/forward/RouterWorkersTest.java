package io.guidepost.middlebox.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.FaultyFile;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.worker.DutyCycle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A router with two queues and workers, and with VLAN tags. */
class RouterWorkersTest {
    private final BoxWire left = new BoxWire("left", 2);
    private final BoxWire right = new BoxWire("right", 2);
    private final IpRouter router = new IpRouter(List.of(left.port(), right.port()), routes());
    private final DutyCycle one = router.duty(0);
    private final DutyCycle two = router.duty(1);

    private static RoutingTable routes() {
        try {
            return RoutingTable.parse("routes", "port 1 10.0.0.1/24\nport 2 192.0.2.1/24\n", 2);
        } catch (FaultyFile e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private static byte[] packet(int hops) {
        return Packet.ip("10.0.0.2", "192.0.2.8", Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}, 0, hops);
    }

    @Test
    void whatOneWorkerLearnsAllKnow() {
        left.sendTo(0, packet(64));
        one.work(0);
        assertThat(right.receivedOn(0)).hasSize(1).allMatch(frame -> frame[13] == 6);
        assertThat(one.restNanos()).isLessThan(1_000_000_000L);
        // The answer comes to the other worker.
        right.sendOn(1, Packet.arp(2, 0x88, "192.0.2.8", right.port().mac(), "192.0.2.1"));
        two.work(0);
        assertThat(right.receivedOn(1)).isEmpty();
        one.work(0);
        assertThat(right.receivedOn(0)).hasSize(1).allMatch(frame -> frame[5] == (byte) 0x88 && Packet.isRight(frame));
        assertThat(one.restNanos()).isEqualTo(Long.MAX_VALUE);
        left.sendTo(1, packet(64));
        two.work(0);
        assertThat(right.receivedOn(1)).hasSize(1).allMatch(frame -> frame[5] == (byte) 0x88);
        assertThat(router.interfaces().get(1).neighbours(0)).isEqualTo(1);
        assertThat(router.interfaces().get(1).crowded()).isZero();
    }

    @Test
    void aPacketKeepsItsTagAndItsNextHopIsLookedForThere() {
        left.sendOn(0, Packet.tagged(Packet.arp(1, 0x11, "10.0.0.2", 0, "10.0.0.1"), 5));
        one.work(0);
        assertThat(left.received()).hasSize(1).allSatisfy(frame -> {
            assertThat(ByteBuffer.wrap(frame).getInt(12)).isEqualTo(0x8100_0005);
            byte[] answer = Packet.arp(2, left.port().mac(), "10.0.0.1", 0x11, "10.0.0.2");
            assertThat(Packet.untagged(frame)).startsWith(Arrays.copyOf(answer, 42));
        });
        // Known without a tag, but not in VLAN 5.
        left.sendTo(0, packet(64));
        one.work(0);
        right.neighbour("192.0.2.8", 0x77).answer();
        one.work(0);
        assertThat(right.received()).hasSize(1).allMatch(frame -> frame[5] == (byte) 0x77);
        left.sendTo(0, Packet.tagged(packet(64), 5));
        one.work(0);
        assertThat(right.received()).hasSize(1).allMatch(
                frame -> ByteBuffer.wrap(frame).getInt(12) == 0x8100_0005 && frame[17] == 6);
        right.sendOn(0, Packet.tagged(Packet.arp(2, 0x88, "192.0.2.8", right.port().mac(), "192.0.2.1"), 5));
        one.work(0);
        assertThat(right.received()).hasSize(1).allSatisfy(frame -> {
            assertThat(ByteBuffer.wrap(frame).getInt(12)).isEqualTo(0x8100_0005);
            assertThat(frame[5]).isEqualTo((byte) 0x88);
            assertThat(Packet.isRight(Packet.untagged(frame))).isTrue();
        });
        // The tag's priority, which is above its number, is kept too.
        left.sendTo(0, Packet.tagged(packet(64), 0xe005));
        left.sendTo(0, Packet.tagged(packet(1), 0xe005));
        one.work(0);
        assertThat(right.received()).hasSize(1).allMatch(frame -> ByteBuffer.wrap(frame).getInt(12) == 0x8100_e005);
        assertThat(left.received()).hasSize(1).allSatisfy(frame -> {
            assertThat(ByteBuffer.wrap(frame).getInt(12)).isEqualTo(0x8100_0005);
            assertThat(frame[38]).isEqualTo((byte) 11);
            assertThat(Packet.isRight(Packet.untagged(frame))).isTrue();
        });
        // Two tags are not taken.
        left.sendTo(0, Packet.tagged(Packet.tagged(packet(64), 5), 6));
        one.work(0);
        assertThat(right.received()).isEmpty();
    }
}
