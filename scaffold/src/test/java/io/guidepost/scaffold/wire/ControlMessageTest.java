package io.guidepost.scaffold.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Control messages: as they stand on the wire, both ways, and what is wrong with others. */
class ControlMessageTest {
    private static final List<MessageType> TYPES = List.of(MessageType.values());
    private static final Guid HOST = Guid.ofAscii("host");
    private static final String FAIL = "d4010001" // FAIL, version 1, repeatable
            + "1122334455667788" + "99aabbccddeeff00" // receiver's and sender's flow
            + "00000003" + "0000002a" // epoch, sequence
            + "010014" + "686f737400000000000000000000000000000000" // HOST
            + "0c0001" + "03"; // REASON: drained
    private static final String SEAL = "00".repeat(16);

    private final ControlMessage message = new ControlMessage();

    private ControlFault parse(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return message.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private void fails(String hex, ControlFault reason, int offset) {
        assertThat(parse(hex)).isEqualTo(reason);
        assertThat(message.faultOffset()).isEqualTo(offset);
    }

    @Test
    void aFailReadsAsItStands() {
        assertThat(parse(FAIL + SEAL)).isEqualTo(ControlFault.NONE);

        assertThat(message.type()).isEqualTo(MessageType.FAIL);
        assertThat(message.flags()).isEqualTo(ControlMessage.FLAG_REPEATABLE);
        assertThat(message.receiverFlow()).isEqualTo(0x1122334455667788L);
        assertThat(message.senderFlow()).isEqualTo(0x99aabbccddeeff00L);
        assertThat(message.epoch()).isEqualTo(3);
        assertThat(message.sequence()).isEqualTo(42);
        assertThat(message.guid(Tlv.HOST)).isEqualTo(HOST);
        assertThat(message.reason()).isEqualTo(Reason.DRAINED);
        assertThat(message.has(Tlv.INSTANCE)).isFalse();
        assertThat(message.guidOrNull(Tlv.INSTANCE)).isNull();
        assertThatThrownBy(() -> message.guid(Tlv.INSTANCE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFailIsWrittenAsItStands() {
        MemorySegment out = MemorySegment.ofArray(new byte[ScaffoldLimits.CONTROL_BYTES_MAX]);
        int length = new ControlWriter()
                .begin(out, 0, MessageType.FAIL, ControlMessage.FLAG_REPEATABLE, 0x1122334455667788L, 0x99aabbccddeeff00L, 3, 42)
                .guid(Tlv.HOST, HOST)
                .reason(Reason.DRAINED)
                .end();

        assertThat(hex(out, length)).isEqualTo(FAIL);
    }

    private static String hex(MemorySegment segment, int length) {
        return HexFormat.of().formatHex(segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void theFirstFaultIsTold() {
        String head = FAIL.substring(0, 56);
        fails("d401", ControlFault.HEADER_CUT, 2);
        fails(FAIL + "00".repeat(1300), ControlFault.LONG, 1232);
        fails("14" + FAIL.substring(2) + SEAL, ControlFault.FORM, 0);
        fails("ff" + FAIL.substring(2) + SEAL, ControlFault.TYPE, 0);
        fails("d402" + FAIL.substring(4) + SEAL, ControlFault.VERSION, 1);
        fails(head + "00".repeat(15), ControlFault.SEAL_CUT, 43);
        fails(head + SEAL, ControlFault.MISSING, 28);
        fails(head + "0100" + SEAL, ControlFault.HEAD_CUT, 28);
        fails(head + "010014" + "00".repeat(19) + SEAL, ControlFault.VALUE_CUT, 28);
        fails(head + "0c000103" + "010014" + "00".repeat(20) + SEAL, ControlFault.ORDER, 32);
        fails(head + "050012" + "00".repeat(18) + SEAL, ControlFault.VALUE_TYPE, 28);
        fails(head + "1f0000" + SEAL, ControlFault.VALUE_TYPE, 28);
        fails(head + "ff0000" + SEAL, ControlFault.VALUE_TYPE, 28);
        fails(FAIL + "0c000103" + SEAL, ControlFault.REPEATED, 55);
        fails(head + "010013" + "00".repeat(19) + SEAL, ControlFault.VALUE_LENGTH, 29);
    }

    @Test
    void aReasonOfANewerPeerIsDead() {
        assertThat(parse(FAIL.substring(0, FAIL.length() - 2) + "77" + SEAL)).isEqualTo(ControlFault.NONE);
        assertThat(message.reason()).isEqualTo(Reason.DEAD);
    }

    @Test
    void placesAreInOrder() throws Exception {
        List<HostLocator> places = List.of(
                HostLocator.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 5500)),
                HostLocator.of(new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 65_535)));
        MemorySegment out = MemorySegment.ofArray(new byte[ScaffoldLimits.CONTROL_BYTES_MAX]);
        ControlWriter writer = new ControlWriter().begin(out, 0, MessageType.MOVE, 0, 0, 0, 7, 1).guid(Tlv.HOST, HOST);
        places.forEach(each -> writer.locator(Tlv.LOCATOR, each));
        int length = writer.longNumber(Tlv.NONCE, -2).end() + ControlMessage.SEAL_BYTES;

        assertThat(message.parse(out, 0, length)).isEqualTo(ControlFault.NONE);
        assertThat(message.count(Tlv.LOCATOR)).isEqualTo(2);
        assertThat(List.of(message.locator(0), message.locator(1))).isEqualTo(places);
        assertThat(message.locator(1)).hasToString("[2001:db8::1]:65535");
        assertThat(message.longNumber(Tlv.NONCE)).isEqualTo(-2);
        assertThatThrownBy(() -> message.locator(2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void paddingFillsToTheByte() {
        MemorySegment out = MemorySegment.ofArray(new byte[ScaffoldLimits.CONTROL_BYTES_MAX]);
        for (int wanted : new int[] {200, 500, ScaffoldLimits.CONTROL_BYTES_MAX}) {
            int length = new ControlWriter()
                    .begin(out, 0, MessageType.RESOLVE, 0, 0, 0, 0, 0)
                    .guid(Tlv.HOST, HOST)
                    .padTo(wanted)
                    .end();
            assertThat(length + ControlMessage.SEAL_BYTES).isEqualTo(wanted);
            assertThat(message.parse(out, 0, wanted)).isEqualTo(ControlFault.NONE);
        }
    }

    @Test
    void aWriterRefusesWhatAMessageCannotCarry() {
        MemorySegment out = MemorySegment.ofArray(new byte[ScaffoldLimits.CONTROL_BYTES_MAX]);
        ControlWriter writer = new ControlWriter().begin(out, 0, MessageType.LEAVE, 0, 0, 0, 0, 0);

        assertThatThrownBy(() -> writer.guid(Tlv.OBJECT, HOST)).hasMessageContaining("LEAVE carries no OBJECT");
        assertThatThrownBy(() -> writer.bytes(Tlv.HOST, new byte[3])).hasMessageContaining("of 3 bytes");
    }

    /** What a type may carry can all be written and read; so no message is too long for its own values. */
    @Test
    void messagesOfAllTypesAreReadAsWritten() {
        SplittableRandom random = new SplittableRandom(22);
        for (int round = 0; round < 20_000; round++) {
            MessageType type = TYPES.get(random.nextInt(TYPES.size()));
            byte[] bytes = RandomControlMessages.message(random, type);
            ControlFault result = message.parse(MemorySegment.ofArray(bytes), 0, bytes.length);

            assertThat(result).as("%s: %s", type, HexFormat.of().formatHex(bytes)).isEqualTo(ControlFault.NONE);
            assertThat(message.type()).isEqualTo(type);
            assertThat(again(message, bytes.length)).isEqualTo(bytes);
        }
    }

    /** Writes again what was read. */
    private static byte[] again(ControlMessage in, int length) {
        byte[] out = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        ControlWriter writer = new ControlWriter()
                .begin(
                        MemorySegment.ofArray(out),
                        0,
                        in.type(),
                        in.flags(),
                        in.receiverFlow(),
                        in.senderFlow(),
                        in.epoch(),
                        in.sequence());
        for (Tlv each : Tlv.values()) {
            writer.copy(each, in);
        }
        int end = writer.end();
        int seal = in.type().sealed() ? ControlMessage.SEAL_BYTES : 0;
        MemorySegment.copy(in.segment(), in.offset() + end, MemorySegment.ofArray(out), end, seal);
        return Arrays.copyOf(out, length);
    }

    /** Nothing outside of the datagram is read, and nothing is thrown, whatever stands in it. */
    @Test
    void noDatagramIsReadBeyondItsEnd() {
        SplittableRandom random = new SplittableRandom(23);
        Set<ControlFault> seen = EnumSet.of(ControlFault.LONG, ControlFault.REPEATED);
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = RandomControlMessages.message(random, TYPES.get(random.nextInt(TYPES.size())));
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            seen.add(ControlMessageFuzz.read(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1))));
        }
        assertThat(seen).as("each fault is found").containsExactlyInAnyOrder(ControlFault.values());
    }

    @Test
    void aHeaderOfACarriageSaysWhoseItIs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(64);
            CarriageHeader.write(out, 3, CarriageHeader.CLEAR, 0x0102030405060708L, 0x1ff);

            assertThat(HexFormat.of().formatHex(out.asSlice(3, 12).toArray(ValueLayout.JAVA_BYTE)))
                    .isEqualTo("00ff0000" + "0102030405060708");
            assertThat(CarriageHeader.is(CarriageHeader.CLEAR, out, 3, 13)).isTrue();
            assertThat(CarriageHeader.is(CarriageHeader.SEALED, out, 3, 13)).isFalse();
            assertThat(CarriageHeader.is(CarriageHeader.CLEAR, out, 3, 12)).as("nothing is carried").isFalse();
            assertThat(CarriageHeader.flow(out, 3)).isEqualTo(0x0102030405060708L);
            assertThat(CarriageHeader.isOfEpoch(out, 3, 0x2ff)).isTrue();
            assertThat(CarriageHeader.isOfEpoch(out, 3, 0x200)).isFalse();
            assertThat(ControlMessage.isControl(out, 3)).isFalse();
            out.set(ValueLayout.JAVA_BYTE, 6, (byte) 1);
            assertThat(CarriageHeader.is(CarriageHeader.CLEAR, out, 3, 13)).as("reserved bytes").isFalse();
        }
    }
}
