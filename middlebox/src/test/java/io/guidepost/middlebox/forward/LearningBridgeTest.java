package io.guidepost.middlebox.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.ExpiringHashTable;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LearningBridgeTest {
    private static final long A = 0x02_00_00_00_00_0aL;
    private static final long B = 0x02_00_00_00_00_0bL;
    private static final long ALL = 0xffff_ffff_ffffL;

    private final List<BoxWire> wires = List.of(new BoxWire("a"), new BoxWire("b"), new BoxWire("c"));
    private final LearningBridge bridge = new LearningBridge(wires.stream().map(BoxWire::port).toList());
    private final DutyCycle duty = bridge.duty(0);
    private long now = 1_000_000;

    @AfterEach
    void close() {
        wires.forEach(BoxWire::close);
    }

    private int[] arrivals(int from, byte[] frame) {
        wires.get(from).send(frame);
        duty.work(now);
        return wires.stream().mapToInt(each -> {
            List<byte[]> frames = each.received();
            assertThat(frames).allSatisfy(got -> assertThat(got).isEqualTo(frame));
            return frames.size();
        }).toArray();
    }

    private static byte[] frame(long to, long from) {
        return Packet.ethernet(to, from, 0x88b5, new byte[80]);
    }

    @Test
    void framesGoWhereTheirDestinationWasSeen() {
        assertThat(arrivals(0, frame(B, A))).containsExactly(0, 1, 1);
        assertThat(arrivals(1, frame(A, B))).containsExactly(1, 0, 0);
        assertThat(arrivals(0, frame(B, A))).containsExactly(0, 1, 0);
        assertThat(arrivals(2, frame(ALL, 7))).containsExactly(1, 1, 0);
        // It moved.
        arrivals(2, frame(ALL, B));
        assertThat(arrivals(0, frame(B, A))).containsExactly(0, 0, 1);
        assertThat(bridge.stations(now)).isEqualTo(3);
    }

    @Test
    void whatIsAtTheSamePortAlreadyStaysThere() {
        arrivals(0, frame(B, A));
        arrivals(0, frame(A, B));
        assertThat(arrivals(0, frame(B, A))).containsExactly(0, 0, 0);
    }

    @Test
    void vlansAreLearntApart() {
        arrivals(0, Packet.tagged(frame(ALL, A), 7));
        assertThat(arrivals(1, Packet.tagged(frame(A, B), 7))).containsExactly(1, 0, 0);
        assertThat(arrivals(1, Packet.tagged(frame(A, B), 8))).containsExactly(1, 0, 1);
    }

    @Test
    void whoWasNotSeenForLongIsForgotten() {
        arrivals(0, frame(ALL, A));
        now += ForwardLimits.STATION_MILLIS - 1;
        assertThat(arrivals(1, frame(A, B))).containsExactly(1, 0, 0);
        now += 1;
        assertThat(arrivals(1, frame(A, B))).containsExactly(1, 0, 1);
    }

    @Test
    void protocolsBetweenBridgesEndHere() {
        assertThat(arrivals(0, frame(0x0180_c200_0000L, A))).containsExactly(0, 0, 0);
        assertThat(wires.getFirst().port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(1);
    }

    @Test
    void aFloodOfAddressesLeavesThoseThatSpeakInPlace() {
        ExpiringHashTable stations = new ExpiringHashTable(ForwardLimits.STATIONS);
        SplittableRandom random = new SplittableRandom(1);
        for (int second = 1; second < 100; second++) {
            for (int i = 0; i < 200; i++) {
                stations.put(0, 0x02_00_00_00_00_00L + i, -1, i % 3, second * 1000L, ForwardLimits.STATION_MILLIS);
            }
            for (int i = 0; i < 2000; i++) {
                stations.put(0, random.nextLong(1L << 40), -1, 2, second * 1000L - 1000, ForwardLimits.STATION_MILLIS);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(stations.find(0, 0x02_00_00_00_00_00L + i, -1, second * 1000L)).isEqualTo(i % 3);
            }
        }
        assertThat(stations.count(100_000)).isBetween(ForwardLimits.STATIONS * 9 / 10, ForwardLimits.STATIONS);
    }
}
