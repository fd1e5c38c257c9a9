package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.worker.DutyCycle;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A translator with two queues and workers, and with VLAN tags. */
class NatWorkersTest {
    private static final int INSIDE = 10 << 24 | 1;
    private static final int OUTSIDE = 192 << 24 | 2 << 8 | 1;

    private final BoxWire inside = new BoxWire("inside", 2);
    private final BoxWire outside = new BoxWire("outside", 2);
    private final Nat nat = new Nat(
            inside.port(),
            outside.port(),
            new NatSettings(new InterfaceAddress(INSIDE, 24), new InterfaceAddress(OUTSIDE, 24), 0, 4000, 4003, 100,
                    NatSettings.ENDPOINT_INDEPENDENT, true),
            new SplittableRandom(1));
    private final DutyCycle one = nat.duty(0);
    private final DutyCycle two = nat.duty(1);

    @BeforeEach
    void meet() {
        inside.neighbour("10.0.0.2", 0x11);
        outside.neighbour("192.0.2.7", 0x99);
    }

    private void work(DutyCycle duty) {
        duty.work(0);
        inside.answer();
        outside.answer();
        duty.work(0);
    }

    @AfterEach
    void close() {
        inside.close();
        outside.close();
    }

    @Test
    void anAnswerFindsItsWayByWhicheverQueueItComes() {
        inside.sendTo(0, Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "question"));
        work(one);
        byte[] question = outside.receivedOn(0).getFirst();
        assertThat(Packet.isRight(question)).isTrue();
        int port = Packet.sourcePort(question);
        outside.sendTo(1, Packet.udp("192.0.2.7", 53, "192.0.2.1", port, "answer"));
        // Not from whom it was sent to.
        outside.sendTo(1, Packet.udp("192.0.2.8", 53, "192.0.2.1", port, "no answer"));
        work(two);
        assertThat(inside.receivedOn(1)).hasSize(1).allMatch(frame -> Packet.isRight(frame)
                && Packet.destination(frame).equals("10.0.0.2")
                && Packet.destinationPort(frame) == 5000);
        // The next question of that port comes by the other queue, and is the same mapping.
        inside.sendTo(1, Packet.udp("10.0.0.2", 5000, "192.0.2.7", 54, "question"));
        work(two);
        assertThat(outside.receivedOn(1)).hasSize(1).allMatch(frame -> Packet.sourcePort(frame) == port);
        assertThat(nat.counts())
                .containsEntry("mappings", 1L)
                .containsEntry("outward", 2L)
                .containsEntry("inward", 1L)
                .containsEntry("filtered", 1L);
    }

    @Test
    void twoWorkersNeverGiveOnePortToTwo() {
        for (int i = 0; i < 6; i++) {
            inside.sendTo(i & 1, Packet.udp("10.0.0.2", 5000 + i, "192.0.2.7", 53, "question"));
        }
        work(one);
        work(two);
        assertThat(outside.receivedOn(0)).extracting(Packet::sourcePort).doesNotHaveDuplicates().hasSize(3);
        assertThat(outside.receivedOn(1)).hasSize(1);
        assertThat(nat.counts()).containsEntry("mappings", 4L).containsEntry("ports_exhausted", 2L);
    }

    @Test
    void aPacketKeepsItsTagBothWays() {
        inside.neighbour(7, "10.0.0.2", 0x12);
        outside.neighbour(7, "192.0.2.7", 0x98);
        inside.sendTo(0, Packet.tagged(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "question"), 7));
        work(one);
        byte[] question = outside.receivedOn(0).getFirst();
        assertThat(ByteBuffer.wrap(question).getInt(12)).isEqualTo(0x8100_0007);
        assertThat(question[5]).isEqualTo((byte) 0x98);
        byte[] plain = Packet.untagged(question);
        assertThat(Packet.isRight(plain)).isTrue();
        byte[] answer = Packet.udp("192.0.2.7", 53, "192.0.2.1", Packet.sourcePort(plain), "answer");
        outside.sendTo(1, Packet.tagged(answer, 7));
        work(two);
        assertThat(inside.receivedOn(1)).hasSize(1).allSatisfy(frame -> {
            assertThat(ByteBuffer.wrap(frame).getInt(12)).isEqualTo(0x8100_0007);
            assertThat(frame[5]).isEqualTo((byte) 0x12);
            assertThat(Packet.isRight(Packet.untagged(frame))).isTrue();
        });
    }
}
