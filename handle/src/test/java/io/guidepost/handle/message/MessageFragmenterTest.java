package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Counters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.value.HandleValue;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages over several packets: split as existing servers do, joined in any order, bounded, and lies are dropped. */
class MessageFragmenterTest {
    private final Counters<MessagePacketCount> counters = new Counters<>(MessagePacketCount.class);
    private final MessageReassembly reassembly = new MessageReassembly(counters);
    private long now = 1_000_000;

    private Optional<byte[]> take(long host, byte[] packet) {
        return reassembly.take(0, host, 5000, MemorySegment.ofArray(packet), 0, packet.length, now);
    }

    /** A message of so many bytes in all. */
    private static byte[] message(int length, int requestId) {
        MessageBody body = new MessageBody.Values(
                Handle.of("1234/BIG"), List.of(HandleValue.of(1, "DESC", new byte[length - 20 - 24 - 4 - 12 - 4 - 30])));
        byte[] bytes = HandleMessage.of(HandleEnvelope.of(0, requestId), MessageHeader.request(HandleOperation.CREATE, 0), body).write();
        assertThat(bytes).hasSize(length);
        new SplittableRandom(requestId).nextBytes(bytes);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(HandleWire.INT, HandleWire.REQUEST, requestId);
        segment.set(HandleWire.INT, HandleWire.SEQUENCE, 0);
        segment.set(HandleWire.INT, HandleWire.LENGTH, length - 20);
        return bytes;
    }

    @Test
    void aBigRecordIsSplitAsExistingServersDo() {
        List<byte[]> packets = MessageFragmenter.of(message(20 + 0xc6b, 7));
        assertThat(packets).extracting(each -> each.length).containsExactly(512, 512, 512, 512, 512, 512, 247);
        for (int i = 0; i < 7; i++) {
            MemorySegment packet = MemorySegment.ofArray(packets.get(i));
            assertThat(packet.get(HandleWire.INT, HandleWire.SEQUENCE)).isEqualTo(i);
            assertThat(packet.get(HandleWire.INT, HandleWire.LENGTH)).isEqualTo(0xc6b);
            assertThat(packet.get(HandleWire.INT, HandleWire.REQUEST)).isEqualTo(7);
        }
    }

    @Test
    void theNumberOfPacketsIsThatOfSlices() {
        assertThat(MessageFragmenter.count(20)).isEqualTo(1);
        assertThat(MessageFragmenter.count(512)).isEqualTo(1);
        assertThat(MessageFragmenter.count(513)).isEqualTo(2);
        assertThat(MessageFragmenter.count(20 + 984)).isEqualTo(2);
        assertThat(MessageFragmenter.count(20 + 985)).isEqualTo(3);
        assertThat(MessageFragmenter.count(20 + HandleLimits.MESSAGE_BYTES_MAX)).isEqualTo(533);
    }

    @Test
    void packetsAreJoinedInAnyOrder() {
        Random random = new Random(53);
        for (int length : new int[] {513, 700, 1004, 1005, 3179, 60_000, 20 + HandleLimits.MESSAGE_BYTES_MAX}) {
            byte[] message = message(length, length);
            List<byte[]> packets = new ArrayList<>(MessageFragmenter.of(message));
            Collections.shuffle(packets, random);
            for (byte[] each : packets.subList(1, packets.size())) {
                assertThat(take(1, each)).isEmpty();
            }
            assertThat(take(1, packets.getFirst())).hasValueSatisfying(each -> assertThat(each).isEqualTo(message));
            assertThat(reassembly.size()).isZero();
        }
        assertThat(counters.get(MessagePacketCount.REASSEMBLIES_COMPLETE)).isEqualTo(7);
    }

    @Test
    void aMessageOfOnePacketIsWholeAtOnce() {
        for (byte[] message : new byte[][] {message(512, 1), slice(1, 0, 0)}) {
            assertThat(take(1, message)).hasValueSatisfying(each -> assertThat(each).isEqualTo(message));
        }
        assertThat(reassembly.size()).isZero();
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_ACCEPTED)).isEqualTo(2);
        assertThat(counters.get(MessagePacketCount.REASSEMBLIES_COMPLETE)).isEqualTo(2);
    }

    /** One packet of a message of so many bytes behind its envelope. */
    private static byte[] slice(int requestId, int number, int total) {
        int length = Math.clamp(total - (long) number * HandleWire.SLICE_BYTES, 0, HandleWire.SLICE_BYTES);
        byte[] bytes = new byte[HandleWire.ENVELOPE_BYTES + length];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(HandleWire.INT, HandleWire.REQUEST, requestId);
        segment.set(HandleWire.INT, HandleWire.SEQUENCE, number);
        segment.set(HandleWire.INT, HandleWire.LENGTH, total);
        return bytes;
    }

    @Test
    void thereIsNothingBehindTheLastPart() {
        int total = 2 * HandleWire.SLICE_BYTES;
        assertThat(take(1, slice(1, 2, total))).isEmpty();
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_LENGTH)).isEqualTo(1);
        assertThat(reassembly.size()).isZero();
    }

    @Test
    void messagesOfSeveralPeersAreNotMixed() {
        List<byte[]> one = MessageFragmenter.of(message(700, 9));
        List<byte[]> other = MessageFragmenter.of(message(800, 9));
        assertThat(take(1, one.get(0))).isEmpty();
        assertThat(take(2, other.get(0))).isEmpty();
        byte[] last = one.get(1);
        assertThat(reassembly.take(0, 1, 5001, MemorySegment.ofArray(last), 0, last.length, now)).isEmpty();
        assertThat(take(2, other.get(1))).isPresent();
        assertThat(take(1, last)).isPresent();
        assertThat(reassembly.size()).isEqualTo(1);
    }

    @Test
    void whatCameBeforeIsNoNews() {
        List<byte[]> packets = MessageFragmenter.of(message(1200, 3));
        take(1, packets.get(2));
        assertThat(take(1, packets.get(2))).isEmpty();
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_DUPLICATE)).isEqualTo(1);
        byte[] other = packets.get(2).clone();
        other[30] ^= 1;
        assertThat(take(1, other)).isEmpty();
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_CONFLICT)).isEqualTo(1);
        take(1, packets.get(0));
        assertThat(take(1, packets.get(1))).isPresent();
    }

    @Test
    void liesAreDropped() {
        List<byte[]> packets = MessageFragmenter.of(message(1200, 3));
        take(1, packets.get(0));
        lie(packets.get(1), HandleWire.LENGTH, 1181, MessagePacketCount.FRAGMENTS_MISMATCH);
        lie(packets.get(1), HandleWire.SESSION, 5, MessagePacketCount.FRAGMENTS_MISMATCH);
        lie(packets.get(1), HandleWire.LENGTH, -1, MessagePacketCount.FRAGMENTS_LENGTH);
        lie(packets.get(1), HandleWire.LENGTH, HandleLimits.MESSAGE_BYTES_MAX + 1, MessagePacketCount.FRAGMENTS_LENGTH);
        lie(packets.get(1), HandleWire.LENGTH, 600, MessagePacketCount.FRAGMENTS_LENGTH);
        lie(packets.get(1), HandleWire.SEQUENCE, 2, MessagePacketCount.FRAGMENTS_LENGTH);
        lie(packets.get(1), HandleWire.SEQUENCE, 3, MessagePacketCount.FRAGMENTS_LENGTH);
        lie(packets.get(1), HandleWire.SEQUENCE, -1, MessagePacketCount.FRAGMENTS_LENGTH);
        assertThat(take(1, Arrays.copyOf(packets.get(1), 511))).isEmpty();
        assertThat(take(1, Arrays.copyOf(packets.get(1), 513))).isEmpty();
        assertThat(take(1, new byte[19])).isEmpty();
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_LENGTH)).isEqualTo(9);
        take(1, packets.get(1));
        assertThat(take(1, packets.get(2))).isPresent();
    }

    private void lie(byte[] packet, int field, int value, MessagePacketCount counted) {
        long before = counters.get(counted);
        byte[] lying = packet.clone();
        MemorySegment.ofArray(lying).set(HandleWire.INT, field, value);
        assertThat(take(1, lying)).isEmpty();
        assertThat(counters.get(counted)).isEqualTo(before + 1);
    }

    @Test
    void whatDoesNotComeInTimeIsForgotten() {
        List<byte[]> packets = MessageFragmenter.of(message(700, 4));
        take(1, packets.get(0));
        now += MessageReassembly.WAIT_MILLIS - 1;
        take(2, packets.get(0));
        assertThat(reassembly.size()).isEqualTo(2);
        now += 1;
        assertThat(take(1, packets.get(1))).isEmpty();
        assertThat(counters.get(MessagePacketCount.REASSEMBLIES_TIMED_OUT)).isEqualTo(1);
        assertThat(take(2, packets.get(1))).isPresent();
        now += MessageReassembly.WAIT_MILLIS;
        reassembly.sweep(now);
        assertThat(reassembly.size()).isZero();
    }

    @Test
    void theTableIsBounded() {
        byte[] first = MessageFragmenter.of(message(700, 4)).getFirst();
        for (int i = 0; i < MessageReassembly.MESSAGES_PER_HOST_MAX + 1; i++) {
            MemorySegment.ofArray(first).set(HandleWire.INT, HandleWire.REQUEST, i);
            take(1, first);
        }
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_HOST_MAX)).isEqualTo(1);
        for (int i = 0; i < MessageReassembly.MESSAGES_MAX; i++) {
            take(100 + i, first);
        }
        assertThat(reassembly.size()).isEqualTo(MessageReassembly.MESSAGES_MAX);
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_TABLE_MAX)).isEqualTo(MessageReassembly.MESSAGES_PER_HOST_MAX);
        now += MessageReassembly.WAIT_MILLIS;
        assertThat(take(1, first)).isEmpty();
        assertThat(reassembly.size()).isEqualTo(1);
    }

    @Test
    void aHostMayBeginAnotherMessageForEachThatIsWhole() {
        int total = HandleWire.SLICE_BYTES + 1;
        for (int i = 0; i < MessageReassembly.MESSAGES_PER_HOST_MAX; i++) {
            take(1, slice(i, 0, total));
        }
        for (int round = 1; round <= 3; round++) {
            assertThat(take(1, slice(round, 1, total))).isPresent();
            assertThat(take(1, slice(1000 + round, 0, total))).isEmpty();
            assertThat(reassembly.size()).isEqualTo(MessageReassembly.MESSAGES_PER_HOST_MAX);
            take(1, slice(2000 + round, 0, total));
            assertThat(counters.get(MessagePacketCount.FRAGMENTS_HOST_MAX)).isEqualTo(round);
        }
    }

    /** Whole messages and those that timed out take no room any more: each time it is full to the last byte. */
    @Test
    void theRoomIsFullAtItsLastByte() {
        int longest = HandleLimits.MESSAGE_BYTES_MAX;
        int slices = MessageFragmenter.count(HandleWire.ENVELOPE_BYTES + longest);
        for (int i = 0; i < slices; i++) {
            assertThat(take(1, slice(1, i, longest)).isPresent()).isEqualTo(i == slices - 1);
        }
        for (int round = 0; round < 2; round++) {
            long accepted = counters.get(MessagePacketCount.FRAGMENTS_ACCEPTED);
            long refused = counters.get(MessagePacketCount.FRAGMENTS_TABLE_MAX);
            int left = MessageReassembly.BYTES_MAX;
            for (int host = 2; left > longest; host++) {
                for (int i = 0; i < slices - 1; i++) {
                    take(host, slice(1, i, longest));
                    left -= HandleWire.SLICE_BYTES;
                    accepted++;
                }
            }
            // Of the last message the first part is missing.
            int rest = left + HandleWire.SLICE_BYTES;
            for (int i = 1; i < MessageFragmenter.count(HandleWire.ENVELOPE_BYTES + rest); i++) {
                take(1, slice(2, i, rest));
                accepted++;
            }
            assertThat(counters.get(MessagePacketCount.FRAGMENTS_ACCEPTED)).isEqualTo(accepted);
            assertThat(counters.get(MessagePacketCount.FRAGMENTS_TABLE_MAX)).isEqualTo(refused);
            take(1, slice(3, 1, HandleWire.SLICE_BYTES + 1));
            assertThat(counters.get(MessagePacketCount.FRAGMENTS_TABLE_MAX)).isEqualTo(refused + 1);
            now += MessageReassembly.WAIT_MILLIS;
        }
    }

    @Test
    void theBytesAreBounded() {
        List<byte[]> packets = MessageFragmenter.of(message(20 + HandleLimits.MESSAGE_BYTES_MAX, 4));
        for (int host = 0; host < 20; host++) {
            for (byte[] each : packets.subList(1, packets.size())) {
                take(host, each);
            }
        }
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_ACCEPTED) * HandleWire.SLICE_BYTES)
                .isLessThan(MessageReassembly.BYTES_MAX + 20L * HandleWire.SLICE_BYTES);
        assertThat(counters.get(MessagePacketCount.FRAGMENTS_TABLE_MAX)).isPositive();
    }

    @Test
    void mutatedPacketsDoNoHarm() {
        SplittableRandom random = new SplittableRandom(54);
        for (int i = 0; i < 50_000; i++) {
            byte[] packet = MessageFragmenter.of(message(513 + random.nextInt(1500), random.nextInt(20))).getFirst();
            for (int n = random.nextInt(3); n > 0; n--) {
                packet[random.nextInt(24)] = (byte) random.nextInt(4);
            }
            byte[] cut = random.nextInt(4) == 0 ? Arrays.copyOf(packet, random.nextInt(packet.length)) : packet;
            take(random.nextInt(10), cut);
            now += random.nextInt(100);
        }
        assertThat(reassembly.size()).isLessThanOrEqualTo(10 * MessageReassembly.MESSAGES_PER_HOST_MAX);
        for (MessagePacketCount each : new MessagePacketCount[] {
            MessagePacketCount.FRAGMENTS_ACCEPTED, MessagePacketCount.FRAGMENTS_LENGTH, MessagePacketCount.FRAGMENTS_MISMATCH,
                    MessagePacketCount.REASSEMBLIES_TIMED_OUT
        }) {
            assertThat(counters.get(each)).as(each.name()).isPositive();
        }
    }
}
