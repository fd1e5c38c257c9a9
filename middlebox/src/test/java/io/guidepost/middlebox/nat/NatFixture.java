package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A translator between two links, with two hosts inside and two servers outside. */
abstract class NatFixture {
    static final long HOST = 0x02_00_00_00_00_11L;
    static final long OTHER_HOST = 0x02_00_00_00_00_12L;
    static final long SERVER = 0x02_00_00_00_00_99L;
    static final String OUTSIDE = "192.0.2.1";

    final BoxWire inside = new BoxWire("inside");
    final BoxWire outside = new BoxWire("outside");
    private final Set<NatProtocol> independent;

    Nat nat;
    DutyCycle duty;
    long now;

    NatFixture(Set<NatProtocol> independent) {
        this.independent = independent;
        translator(1024, 65535, 65_536, false);
    }

    /** Makes another translator, which knows no neighbours yet; what is not on the link it sends to 192.0.2.7. */
    final void translator(int min, int max, int hostMax, boolean filter) {
        nat = new Nat(inside.port(), outside.port(), new NatSettings(
                InterfaceAddress.parse("10.0.0.1/24"), InterfaceAddress.parse("192.0.2.1/24"),
                InterfaceAddress.parseIpv4("192.0.2.7"), min, max, hostMax, independent, filter), new SplittableRandom(1));
        duty = nat.duty(0);
    }

    @BeforeEach
    void meet() {
        inside.neighbour("10.0.0.2", HOST).neighbour("10.0.0.3", OTHER_HOST);
        outside.neighbour("192.0.2.7", SERVER).neighbour("192.0.2.8", SERVER);
        inside.send(Packet.arp(1, HOST, "10.0.0.2", 0, "10.0.0.1"), Packet.arp(1, OTHER_HOST, "10.0.0.3", 0, "10.0.0.1"));
        outside.send(
                Packet.arp(1, SERVER, "192.0.2.7", 0, OUTSIDE), Packet.arp(1, SERVER, "192.0.2.8", 0, OUTSIDE));
        work();
        List<byte[]> answers = inside.received();
        assertThat(answers).hasSize(2);
        assertThat(answers.getFirst()).containsExactly(
                Packet.arp(2, inside.port().mac(), "10.0.0.1", HOST, "10.0.0.2"));
        assertThat(outside.received()).hasSize(2);
    }

    @AfterEach
    void close() {
        inside.close();
        outside.close();
    }

    void work() {
        duty.work(now);
        inside.answer();
        outside.answer();
        duty.work(now);
    }

    /** Gives a translator that sleeps as long as it may ten seconds, in which it looks at every mapping. */
    void sweepAll() {
        for (int i = 0; i < 100; i++) {
            now += PacketLimits.SLEEP_MILLIS_MAX;
            duty.work(now);
        }
    }

    static byte[] to(long mac, byte[] frame) {
        byte[] copy = frame.clone();
        for (int i = 0; i < 6; i++) {
            copy[i] = (byte) (mac >>> (40 - 8 * i));
        }
        return copy;
    }

    byte[] outward(byte[] frame) {
        inside.send(to(inside.port().mac(), frame));
        work();
        List<byte[]> frames = outside.received();
        assertThat(frames).hasSize(1);
        assertThat(Packet.isRight(frames.getFirst())).isTrue();
        return frames.getFirst();
    }

    List<byte[]> inward(byte[] frame) {
        outside.send(to(outside.port().mac(), frame));
        work();
        List<byte[]> frames = inside.received();
        assertThat(frames).allMatch(Packet::isRight);
        return frames;
    }
}
