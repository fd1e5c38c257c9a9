package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.Packet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long connections last that pass a translator, with a port of their own and with one that they share. */
@ParameterizedClass
@EnumSource
class NatTcpTest extends NatFixture {
    enum Mapping {
        ENDPOINT_INDEPENDENT,
        ADDRESS_AND_PORT_DEPENDENT
    }

    NatTcpTest(Mapping mapping) {
        super(mapping == Mapping.ENDPOINT_INDEPENDENT ? Set.of(NatProtocol.values()) : Set.of());
    }

    @Test
    void anOpenConnectionLastsHoursAndAHalfOpenOneMinutes() {
        int half = Packet.sourcePort(outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 2)));
        int open = Packet.sourcePort(outward(Packet.tcp("10.0.0.2", 5001, "192.0.2.7", 80, 2)));
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, open, 0x12))).hasSize(1);
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, half, 0x10))).isEmpty();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, open, 0x11, 2, 2))).hasSize(1);
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, open, 0x10, 3, 2))).as("one side is still open").hasSize(1);
        outward(Packet.tcp("10.0.0.2", 5001, "192.0.2.7", 80, 0x11, 2, 3));
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, open, 0x10, 3, 3))).isEmpty();
        assertThat(nat.counts()).containsEntry("no_mapping", 2L);
    }

    /** Opens a connection, in which both sides have sent 1,000 bytes; returns its port. */
    private int connected() {
        int port = Packet.sourcePort(outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 2, -500, 0)));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x12, 7000, -499));
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x10, 501, 7001));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x10, 8001, 501));
        return port;
    }

    private boolean lastsLong(int port) {
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        return !inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x10, 8001, 501)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {6000, 7000, 8002, 100_000, 5_000_000, Integer.MIN_VALUE, -1})
    void aGuessedResetDoesNotShortenAConnection(int sequence) {
        int port = connected();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x14, sequence, 501))).as("it passes").hasSize(1);
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x11, sequence, 501));
        assertThat(lastsLong(port)).isTrue();
    }

    @Test
    void aForgedSegmentDoesNotMakeAGuessedResetFit() {
        int port = connected();
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x10, 8001 + (1 << 30), 501));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x02, 8001 + (1 << 29), 0));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x14, 8001 + (1 << 29), 501));
        assertThat(lastsLong(port)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {7001, 8000, 8001})
    void aResetThatFitsEndsAConnection(int sequence) {
        int port = connected();
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x14, sequence, 501));
        assertThat(lastsLong(port)).isFalse();
    }

    @Test
    void aPortOfAnEndedConnectionBeginsAnother() {
        int port = connected();
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x14, 8001, 501));
        assertThat(Packet.sourcePort(outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 2, 90_000_000, 0)))).isEqualTo(port);
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x12, 3, 90_000_001));
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x10, 90_000_001, 4));
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, 0x10, 4, 90_000_001))).hasSize(1);
    }

    private void fromServer(int port, int flags, int sequence, int data) {
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, port, flags, sequence, 501, data))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {8101, 8102})
    void dataMovesWhatMayEndAConnection(int sequence) {
        int port = connected();
        fromServer(port, 0x10, 8001, 100);
        fromServer(port, 0x10, 8001, 50);
        fromServer(port, 0x14, sequence, 0);
        assertThat(lastsLong(port)).isEqualTo(sequence == 8102);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void onlyAWindowAheadCounts(int further) {
        int port = connected();
        fromServer(port, 0x10, 7001 + NatLimits.TCP_WINDOW - 100, 100 + further);
        fromServer(port, 0x14, 7001 + NatLimits.TCP_WINDOW + further, 0);
        assertThat(lastsLong(port)).isEqualTo(further == 1);
    }

    @Test
    void aSideThatClosesTwiceHasClosedOnce() {
        int port = connected();
        fromServer(port, 0x11, 8001, 0);
        fromServer(port, 0x11, 8001, 0);
        assertThat(lastsLong(port)).isTrue();
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x11, 501, 8002));
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x11, 501, 8002));
        assertThat(lastsLong(port)).isFalse();
    }

    @Test
    void theInsideClosesToo() {
        int port = connected();
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x11, 501, 8001));
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x11, 501, 8001));
        assertThat(lastsLong(port)).isTrue();
        fromServer(port, 0x11, 8001, 0);
        assertThat(lastsLong(port)).isFalse();
    }

    @Test
    void aResetOfTheInsideEndsAConnection() {
        int port = connected();
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x14, 501, 8001));
        assertThat(lastsLong(port)).isFalse();
    }

    @Test
    void aFinDoesNotOpenWhatNobodyAnswered() {
        int port = Packet.sourcePort(outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 2, -500, 0)));
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 0x01, -499, 0));
        assertThat(lastsLong(port)).isFalse();
    }
}
