package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.wire.CarriageHeader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One end of a flow that is carried by labels; both ends are in the simulation. */
class LabelCarriageTest {
    private final LabelFuzz gateway = new LabelFuzz();

    /** A segment of the program. */
    private static byte[] segment() {
        return new SegmentWriter()
                .write(LabelFuzz.TUPLE, false, SegmentWriter.Numbers.of(6, 7, Tcp.ACK, 1_000), new byte[] {'y', 'o'}, 0, 2)
                .bytes();
    }

    private long count(FlowCount count) {
        return gateway.machine.counts().get(count);
    }

    @Test
    void theProgramGetsItsOwnAddresses() {
        gateway.fromKernel(LabelFuzz.labelled());
        byte[] given = gateway.toKernel.getFirst();
        assertThat(Memory.longAt(given, 8)).isEqualTo(LabelFuzz.TUPLE.peerHigh());
        assertThat(Memory.longAt(given, 16)).isEqualTo(LabelFuzz.TUPLE.peerLow());
        assertThat(Memory.longAt(given, 24)).isEqualTo(LabelFuzz.TUPLE.ownHigh());
        assertThat(Memory.longAt(given, 32)).isEqualTo(LabelFuzz.TUPLE.ownLow());
        assertThat(given).endsWith('h', 'i');
    }

    @Test
    void aFlowGoesOverToLabelsWhenThePeerHearsThemAndBackWhenItDoesNotUseThem() {
        gateway.fromKernel(segment());
        assertThat(gateway.toKernel).as("a question").hasSize(1);
        assertThat(gateway.toNetwork).as("the segment, by UDP").hasSize(1);
        byte[] answer = LabelFuzz.bare(true);
        gateway.fromKernel(LabelFuzz.bare(false));
        // The answer is the question's with the ends exchanged.
        assertThat(Arrays.copyOfRange(gateway.toKernel.get(1), 0, 8)).isEqualTo(Arrays.copyOfRange(answer, 0, 8));
        assertThat(Memory.longAt(gateway.toKernel.get(1), 24)).isEqualTo(LabelFuzz.PEER);

        gateway.fromKernel(answer);
        gateway.fromKernel(segment());
        byte[] sent = gateway.toKernel.get(2);
        assertThat(Memory.intAt(sent, 0)).isEqualTo(0x6000_0000 | LabelFuzz.EPOCH);
        assertThat(Memory.longAt(sent, 8)).isEqualTo(LabelFuzz.OWN);
        assertThat(Memory.longAt(sent, 16)).isEqualTo(LabelFuzz.FLOW);
        assertThat(Memory.longAt(sent, 24)).isEqualTo(LabelFuzz.PEER);
        assertThat(Memory.longAt(sent, 32)).isEqualTo(LabelFuzz.PEER_FLOW);
        assertThat(gateway.toNetwork).hasSize(1);
        assertThat(count(FlowCount.PACKETS_SENT_LABELLED)).isOne();

        gateway.fromKernel(LabelFuzz.labelled());
        byte[] datagram = new byte[CarriageHeader.BYTES + segment().length];
        CarriageHeader.write(MemorySegment.ofArray(datagram), 0, CarriageHeader.CLEAR, LabelFuzz.FLOW, LabelFuzz.EPOCH);
        System.arraycopy(segment(), 0, datagram, CarriageHeader.BYTES, segment().length);
        gateway.fromNetwork(datagram);
        gateway.fromKernel(segment());
        assertThat(gateway.toNetwork).hasSize(2);
    }

    @Test
    void whatIsOfNoFlowGoesNowhere() {
        for (int at : new int[] {3, 8, 16, 23, 32, 39}) {
            for (byte[] each : LabelFuzz.seeds()) {
                each[at] ^= 1;
                gateway.fromKernel(each);
            }
        }
        assertThat(gateway.toKernel).isEmpty();
        assertThat(count(FlowCount.DROPS_EPOCH)).isEqualTo(3);
        assertThat(count(FlowCount.DROPS_SOURCE)).isEqualTo(9);
        assertThat(count(FlowCount.DROPS_FLOW_UNKNOWN)).isEqualTo(6);
    }

    @Test
    void anyBytesGoToTheProgramOrThePeerAlone() {
        SplittableRandom random = new SplittableRandom(22);
        byte[][] seeds = LabelFuzz.seeds().toArray(byte[][]::new);
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            LabelFuzz.fuzz(random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 20)) : bytes);
        }
    }
}
