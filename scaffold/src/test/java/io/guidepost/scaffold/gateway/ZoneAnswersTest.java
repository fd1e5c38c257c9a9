package io.guidepost.scaffold.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZoneAnswersTest {
    private static final int MX = 15;
    private static final int ADDRESS = 0x6440_0005;

    private final ZoneAnswers zone = new ZoneAnswers("svc.internal", true);

    static byte[] question(String name, int type, int queryClass, boolean extended) {
        ByteBuffer out = ByteBuffer.allocate(512);
        out.putShort((short) 0x1234).putShort((short) 0x0100).putShort((short) 1).putInt(0).putShort((short) (extended ? 1 : 0));
        for (String label : name.split("\\.", -1)) {
            out.put((byte) label.length()).put(label.getBytes(StandardCharsets.ISO_8859_1));
        }
        out.put((byte) 0).putShort((short) type).putShort((short) queryClass);
        if (extended) {
            out.put((byte) 0).putShort((short) 41).putShort((short) 1232).putInt(0).putShort((short) 0);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static ZoneQuestion read(byte[] bytes) {
        ZoneQuestion question = ZoneQuestion.read(bytes);
        assertThat(question).isNotNull();
        return question;
    }

    private @Nullable String object(String name, int type) {
        return zone.object(read(question(name, type, 1, false)));
    }

    private static int code(byte[] answer) {
        return answer[3] & 0xf;
    }

    private byte[] answer(byte[] bytes) {
        return zone.answer(read(bytes));
    }

    @Test
    void anObjectHasAnAddress() {
        byte[] bytes = question("Web.svc.INTERNAL", ZoneAnswers.TYPE_A, 1, false);
        assertThat(zone.object(read(bytes))).isEqualTo("web");
        assertThat(HexFormat.of().formatHex(zone.answer(read(bytes), ADDRESS, true)))
                .isEqualTo("1234" + "8500" + "0001" + "0001" + "0000" + "0000"
                        + "0357656203737663" + "08494e5445524e414c00" + "0001" + "0001"
                        + "c00c" + "0001" + "0001" + "0000001e" + "0004" + "64400005");
    }

    @Test
    void anObjectHasAnAddressOfIpv6WhereTheHostHas() {
        byte[] bytes = question("web.svc.internal", ZoneAnswers.TYPE_AAAA, 1, false);
        assertThat(zone.object(read(bytes))).isEqualTo("web");
        assertThat(HexFormat.of().formatHex(zone.answer(read(bytes), ADDRESS, true)))
                .endsWith("c00c" + "001c" + "0001" + "0000001e" + "0010" + "fd67756964650000" + "0000000064400005");
        ZoneAnswers ofIpv4 = new ZoneAnswers("svc.internal", false);
        assertThat(ofIpv4.object(read(bytes))).isNull();
        byte[] noData = ofIpv4.answer(read(bytes));
        assertThat(code(noData)).isZero();
        assertThat(ZoneQuestion.u16(noData, 6)).isZero();
    }

    @Test
    void whatIsNotThereIsToldWithAShortTime() {
        byte[] bytes = question("web.svc.internal", ZoneAnswers.TYPE_A, 1, true);
        byte[] answer = zone.answer(read(bytes), 0, true);
        assertThat(code(answer)).isEqualTo(ZoneAnswers.NO_NAME);
        // The zone's SOA: a pointer into the question, type 6, class 1, a second.
        assertThat(HexFormat.of().formatHex(answer)).contains("c010" + "0006" + "0001" + "00000001");
        assertThat(ZoneQuestion.u16(answer, 8)).isEqualTo(1);
        assertThat(ZoneQuestion.u16(answer, 10)).as("its OPT").isEqualTo(1);
        assertThat(code(zone.answer(read(bytes), 0, false))).isEqualTo(ZoneAnswers.SERVER_FAILURE);
    }

    @Test
    void otherQuestionsOfTheZoneNeedNoObject() {
        assertThat(object("web.svc.internal", MX)).isNull();
        assertThat(object("a.b.svc.internal", ZoneAnswers.TYPE_ANY)).isEqualTo("a.b");
        assertThat(object("svc.internal", ZoneAnswers.TYPE_A)).isNull();
        assertThat(object("xsvc.internal", ZoneAnswers.TYPE_A)).isNull();
        byte[] noData = answer(question("web.svc.internal", MX, 1, false));
        assertThat(code(noData)).isZero();
        assertThat(ZoneQuestion.u16(noData, 6)).isZero();
        assertThat(ZoneQuestion.u16(noData, 8)).isEqualTo(1);
        for (int type : new int[] {ZoneAnswers.TYPE_SOA, ZoneAnswers.TYPE_NS, ZoneAnswers.TYPE_ANY}) {
            assertThat(ZoneQuestion.u16(answer(question("svc.internal", type, 1, false)), 6)).isEqualTo(1);
        }
        assertThat(code(answer(question("example.org", ZoneAnswers.TYPE_A, 1, false)))).isEqualTo(ZoneAnswers.REFUSED);
        assertThat(code(answer(question("web.svc.internal", ZoneAnswers.TYPE_A, 3, false)))).isEqualTo(ZoneAnswers.REFUSED);
        assertThat(zone.counts().get(ZoneCount.ANSWERS_REFUSED)).isEqualTo(2);
    }

    /** A label with a dot in it is not two labels. */
    @Test
    void anObjectOfAnotherZoneIsNotTakenForOneOfThis() {
        byte[] bytes = question("web+svc.internal", ZoneAnswers.TYPE_A, 1, false);
        bytes[16] = '.';
        assertThat(zone.object(read(bytes))).isNull();
        assertThat(code(answer(bytes))).isEqualTo(ZoneAnswers.REFUSED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            123401000001000000000000 03776562                | 1
            123401000002000000000000 0377656200 0001 0001     | 1
            123401000001000000000000 c00c 0001 0001           | 1
            123401000001000000000001 0377656200 0001 0001     | 1
            123401000001000000000001 0377656200 0001 0001 00 0029 0200 00000000 0001 | 1
            123411000001000000000000 0377656200 0001 0001     | 4
            123401000001000000000001 0377656200 0001 0001 00 0029 0200 00010000 0000 | 0
            """)
    void whatIsMalformedGetsTheReason(String hex, int code) {
        byte[] answer = answer(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertThat(code(answer)).isEqualTo(code);
        assertThat(answer).startsWith(0x12, 0x34);
    }

    @Test
    void whatIsNoQuestionIsDropped() {
        assertThat(ZoneQuestion.read(new byte[11])).isNull();
        byte[] response = question("web.svc.internal", ZoneAnswers.TYPE_A, 1, false);
        response[2] |= (byte) 0x80;
        assertThat(ZoneQuestion.read(response)).isNull();
    }

    @Test
    void answersToAnyBytesAreShort() {
        SplittableRandom random = new SplittableRandom(22);
        byte[][] seeds = ZoneFuzz.seeds().toArray(byte[][]::new);
        for (int round = 0; round < 300_000; round++) {
            byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
            for (int i = random.nextInt(5); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? random.nextInt(8) : random.nextInt(256));
            }
            ZoneFuzz.fuzz(random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 20)) : bytes);
        }
        String longest = ("a".repeat(63) + ".").repeat(3) + "b".repeat(48) + ".svc.internal";
        ZoneFuzz.fuzz(question(longest, ZoneAnswers.TYPE_A, 1, true));
        assertThat(zone.object(read(question(longest, ZoneAnswers.TYPE_A, 1, true)))).isNotNull();
    }

    @Test
    void aZoneIsAName() {
        assertThatThrownBy(() -> new ZoneAnswers("svc..internal", true)).hasMessageContaining("write one such as svc.internal");
    }
}
