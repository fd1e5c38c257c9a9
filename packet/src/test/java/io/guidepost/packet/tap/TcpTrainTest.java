package io.guidepost.packet.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.memory.MemoryLink;
import java.lang.foreign.Arena;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which segments join, and that a whole that was not taken leaves its first segment as it was. */
class TcpTrainTest {
    private static final int ETHERNET = 14;
    private static final int TCP = ETHERNET + 20;
    private static final int HEADERS = TCP + 32;
    private static final int ACK = 0x10;
    private static final int PSH = 0x08;

    private final MemoryLink link = new MemoryLink(FrameSettings.of("trains"));
    private final TcpTrain train = new TcpTrain(ETHERNET);
    private Burst burst;

    @BeforeEach
    void begin() {
        burst = link.left().tx(0).burst();
    }

    @AfterEach
    void end() {
        link.close();
    }

    private void segment(int sequence, int payload, int flags) {
        long at = burst.room();
        Memory.put64(at, 0);
        Memory.put32(at + 8, 0);
        Memory.put16(at + 12, 0x0800);
        Memory.put32(at + 14, 0x4500_0000 | 52 + payload);
        Memory.put32(at + 18, sequence << 16 | 0x4000);
        Memory.put32(at + 22, 64 << 24 | HeaderParser.TCP << 16);
        Memory.put32(at + 26, 0x0a00_0001);
        Memory.put32(at + 30, 0x0a00_0002);
        Memory.put32(at + TCP, 80 << 16 | 4_000);
        Memory.put32(at + TCP + 4, sequence);
        Memory.put32(at + TCP + 8, 77);
        Memory.put32(at + TCP + 12, 0x8000_0000 | flags << 16 | 500);
        Memory.put32(at + TCP + 16, 0);
        Memory.put32(at + TCP + 20, 0x0101_080a);
        Memory.put64(at + TCP + 24, 0x0000_0005_0000_0006L);
        for (int i = 0; i < payload; i++) {
            Memory.put8(at + HEADERS + i, sequence + i);
        }
        sums(at, payload);
        burst.append(HEADERS + payload);
    }

    private static void sums(long at, int payload) {
        Memory.put16(at + 24, 0);
        Memory.put16(at + 24, InternetChecksum.of(at + ETHERNET, 20));
        Memory.put16(at + TCP + 16, 0);
        long pseudo = InternetChecksum.pseudoIpv4(Memory.i32(at + 26), Memory.i32(at + 30), HeaderParser.TCP, 32 + payload);
        Memory.put16(at + TCP + 16, InternetChecksum.fold(InternetChecksum.add(pseudo, at + TCP, 32 + payload)));
    }

    private int joinedAfter(LongConsumer change, boolean right) {
        burst.clear();
        segment(0, 100, ACK);
        segment(100, 100, ACK);
        segment(200, 100, ACK);
        change.accept(burst.offset(1));
        if (right) {
            sums(burst.offset(1), 100);
        }
        return train.count(burst, 0);
    }

    @Test
    void segmentsJoinToTheFirstShorterOneOrPsh() {
        for (int i = 0; i < 5; i++) {
            segment(100 * i, i == 3 ? 40 : 100, ACK);
        }
        assertThat(train.count(burst, 0)).isEqualTo(4);
        burst.clear();
        segment(0, 100, ACK);
        segment(100, 100, ACK | PSH);
        segment(200, 100, ACK);
        assertThat(train.count(burst, 0)).isEqualTo(2);
        assertThat(train.count(burst, 2)).isEqualTo(1);
    }

    @Test
    void whatDiffersDoesNotJoin() {
        assertThat(joinedAfter(_ -> {}, true)).isEqualTo(3);
        assertThat(joinedAfter(at -> Memory.put8(at + HEADERS + 50, 0), false)).as("a wrong checksum").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put32(at + TCP + 4, 101), true)).as("a gap").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put32(at + TCP + 8, 78), true)).as("another acknowledgment").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put16(at + TCP + 14, 501), true)).as("another window").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put16(at + TCP, 81), true)).as("another port").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put32(at + 30, 0x0a00_0003), true)).as("another host").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + 22, 63), true)).as("another TTL").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + 15, 3), true)).as("a mark of congestion").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + TCP + 13, ACK | 1), true)).as("a FIN").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + TCP + 27, 9), true)).as("another timestamp").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put16(at + 20, 0x2000), true)).as("a fragment").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + 23, HeaderParser.UDP), true)).as("another protocol").isEqualTo(1);
    }

    @Test
    void aWholeThatIsNotTakenLeavesItsFirstSegmentAsItWas() {
        segment(0, 100, ACK);
        segment(100, 60, ACK | PSH);
        byte[] before = Memory.read(burst.offset(0), burst.length(0));
        assertThat(train.count(burst, 0)).isEqualTo(2);
        try (Arena arena = Arena.ofConfined()) {
            long room = arena.allocate(2_048, 8).address();
            assertThat(train.join(burst, 0, 2, room, room + 16)).isEqualTo(2);
        }
        assertThat(Memory.u16(burst.offset(0) + ETHERNET + 2)).isEqualTo(52 + 160);
        assertThat(Memory.u8(burst.offset(0) + TCP + 13)).isEqualTo(ACK | PSH);
        assertThat(Memory.read(burst.offset(0), burst.length(0))).isNotEqualTo(before);
        train.part();
        assertThat(Memory.read(burst.offset(0), burst.length(0))).isEqualTo(before);
    }
}
