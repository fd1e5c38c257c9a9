package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.bpf.FlowOffload.Headers;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.wire.CarriageHeader;
import io.guidepost.scaffold.wire.HostLocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One end of a flow that is carried by labels; both ends are in the simulation. */
class LabelCarriageTest {
    private final LabelFuzz gateway = new LabelFuzz();

    /** A segment of the program. */
    private static byte[] segment(int flags) {
        return new SegmentWriter()
                .write(LabelFuzz.TUPLE, false, SegmentWriter.Numbers.of(6, 7, flags, 1_000), new byte[] {'y', 'o'}, 0, 2)
                .bytes();
    }

    private static byte[] segment() {
        return segment(Tcp.ACK);
    }

    /** Offloads the flow: both ends have carried packets by labels for a while. */
    private void offload() {
        gateway.fromKernel(LabelFuzz.bare(true));
        for (int i = 0; i < 32; i++) {
            gateway.fromKernel(segment());
            gateway.fromKernel(LabelFuzz.labelled());
        }
        gateway.toKernel.clear();
    }

    private long count(FlowCount count) {
        return gateway.machine.tally().counts().get(count);
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
    void theKernelPassesWhatAFlowHasLeftBetweenItsEnds() {
        gateway.kernel.rowsMax = 2;
        offload();
        assertThat(gateway.kernel.rows).hasSize(2);
        TestOffload.Row out = gateway.kernel.rows.getFirst();
        TestOffload.Row in = gateway.kernel.rows.getLast();
        FlowTuple own = LabelFuzz.TUPLE;
        int turned = Integer.rotateLeft(own.ports(), 16);
        assertThat(out.before).isEqualTo(new Headers(own.ownHigh(), own.ownLow(), own.peerHigh(), own.peerLow(), own.ports(), 0));
        assertThat(out.after)
                .isEqualTo(new Headers(
                        LabelFuzz.OWN, LabelFuzz.FLOW, LabelFuzz.PEER, LabelFuzz.PEER_FLOW, own.ports(), LabelFuzz.EPOCH));
        assertThat(in.before)
                .isEqualTo(new Headers(
                        LabelFuzz.PEER, LabelFuzz.PEER_FLOW, LabelFuzz.OWN, LabelFuzz.FLOW, turned, LabelFuzz.EPOCH));
        assertThat(in.after).isEqualTo(new Headers(own.peerHigh(), own.peerLow(), own.ownHigh(), own.ownLow(), turned, 0));
        assertThat(out.next).isEqualTo(8);
        assertThat(out.acknowledgment).isEqualTo(7);

        out.packets = 5;
        out.next = 1_000;
        out.acknowledgment = 2_000;
        in.packets = 7;
        in.next = 2_010;
        gateway.machine.clock(10_000_000, 1_000_010);
        gateway.machine.tick();
        assertThat(count(FlowCount.PACKETS_OFFLOADED)).isEqualTo(12);
        assertThat(count(FlowCount.PACKETS_SENT_LABELLED)).isEqualTo(32 + 5);

        gateway.fromKernel(segment(Tcp.FIN | Tcp.ACK));
        assertThat(gateway.kernel.rows).allMatch(each -> each.removed);
        assertThat(gateway.toKernel).as("the FIN, with labels").hasSize(1);
    }

    @Test
    void aFlowComesBackFromTheKernelWhenItIsSilentOrNotAnsweredOrInDoubt() {
        gateway.kernel.rowsMax = 6;
        offload();
        gateway.machine.clock(1_100_000_000L, 1_001_100);
        gateway.machine.tick();
        assertThat(gateway.kernel.rows).as("silent").hasSize(2).allMatch(each -> each.removed);

        offload();
        gateway.kernel.rows.get(3).packets = 1;
        for (int i = 1; i < 80; i++) {
            gateway.kernel.rows.get(2).packets += 10;
            gateway.kernel.rows.get(2).next += 100;
            gateway.machine.clock(1_100_000_000L + i * 5_000_000L, 1_001_100 + i * 5L);
            gateway.machine.tick();
        }
        assertThat(gateway.kernel.rows).as("no answer").hasSize(4).allMatch(each -> each.removed);

        offload();
        assertThat(gateway.kernel.rows).hasSize(6);
        gateway.machine.way(0, new HostLocator(LabelFuzz.OWN, 1, FlowMachine.PORT), false, true);
        assertThat(gateway.kernel.rows.get(4).removed).as("a cable that was pulled").isTrue();
        assertThat(gateway.kernel.rows.get(5).removed).as("what comes").isFalse();
        gateway.fromKernel(segment());
        assertThat(gateway.toKernel).as("nothing has labels").isEmpty();
    }

    @Test
    void aProgramsKernelIsToldThatAPacketIsTooBig() {
        gateway.fromKernel(LabelFuzz.error(Icmpv6.PACKET_TOO_BIG, 1_300));
        byte[] told = gateway.toKernel.getFirst();
        assertThat(told[6]).isEqualTo((byte) HeaderParser.ICMPV6);
        assertThat(Memory.longAt(told, 32)).isEqualTo(LabelFuzz.TUPLE.ownLow());
        assertThat(Memory.intAt(told, 44)).isEqualTo(1_300);
        assertThat(Memory.longAt(told, 48 + 32)).as("the packet as it was sent").isEqualTo(LabelFuzz.TUPLE.peerLow());
        assertThat(count(FlowCount.ERRORS_PASSED)).isOne();
        gateway.toKernel.clear();
        for (int at : new int[] {4, 41, 47, 48, 51, 54, 56, 64, 72, 80, 88, 91}) {
            byte[] wrong = LabelFuzz.error(Icmpv6.PACKET_TOO_BIG, 1_300);
            wrong[at] ^= 1;
            gateway.fromKernel(wrong);
        }
        gateway.fromKernel(Arrays.copyOf(LabelFuzz.error(Icmpv6.PACKET_TOO_BIG, 1_300), 95));
        assertThat(gateway.toKernel).isEmpty();
    }

    @Test
    void aFlowGoesBackToUdpWhereLabelsDoNotGetThrough() {
        gateway.kernel.rowsMax = 2;
        offload();
        gateway.fromKernel(LabelFuzz.error(Icmpv6.UNREACHABLE, 0));
        assertThat(gateway.kernel.rows.getFirst().removed).isTrue();
        assertThat(gateway.toKernel).isEmpty();
        gateway.toNetwork.clear();
        gateway.fromKernel(segment());
        assertThat(gateway.toNetwork).hasSize(1);
    }

    @Test
    void aForgedSealIsNotTakenAndSealsNothing() {
        gateway.machine.sealAll();
        gateway.fromKernel(segment());
        assertThat(count(FlowCount.PACKETS_SENT_SEALED)).as("of a flow that stood before").isZero();
        byte[] forged = new byte[CarriageHeader.BYTES + 8 + segment().length + 16];
        CarriageHeader.write(MemorySegment.ofArray(forged), 0, CarriageHeader.SEALED, LabelFuzz.FLOW, LabelFuzz.EPOCH);
        gateway.fromNetwork(forged);
        assertThat(count(FlowCount.DROPS_DATA_SEAL)).isOne();
        gateway.fromKernel(LabelFuzz.labelled());
        assertThat(count(FlowCount.DROPS_CLEAR)).as("a forged seal seals nothing").isZero();
    }

    @Test
    void whatIsOfNoFlowGoesNowhere() {
        for (int at : new int[] {3, 8, 16, 23, 32, 39}) {
            for (byte[] each : LabelFuzz.seeds().subList(0, 3)) {
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
