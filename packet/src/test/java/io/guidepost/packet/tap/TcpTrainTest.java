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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which segments join, and that a whole that was not taken leaves its first segment as it was. */
class TcpTrainTest {
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int ACK = 0x10;
    private static final int PSH = 0x08;

    private final MemoryLink link = new MemoryLink(FrameSettings.of("trains"));
    private final TcpTrain train = new TcpTrain(ETHERNET);
    private Burst burst;

    /** Of the version of IP that is tried: where TCP's header begins in a frame, and where the data. */
    private int tcp;

    private int headers;

    private void version(int ipBytes) {
        tcp = ETHERNET + ipBytes;
        headers = tcp + 32;
        burst.clear();
    }

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
        if (tcp == ETHERNET + IPV4) {
            Memory.put16(at + 12, 0x0800);
            Memory.put32(at + 14, 0x4500_0000 | 52 + payload);
            Memory.put32(at + 18, sequence << 16 | 0x4000);
            Memory.put32(at + 22, 64 << 24 | HeaderParser.TCP << 16);
            Memory.put32(at + 26, 0x0a00_0001);
            Memory.put32(at + 30, 0x0a00_0002);
        } else {
            Memory.put16(at + 12, 0x86dd);
            Memory.put32(at + 14, 0x6000_0007);
            Memory.put32(at + 18, 32 + payload << 16 | HeaderParser.TCP << 8 | 64);
            for (int i = 0; i < 32; i += 8) {
                Memory.put64(at + 22 + i, 0xfd00_0000_0000_0001L + i);
            }
        }
        Memory.put32(at + tcp, 80 << 16 | 4_000);
        Memory.put32(at + tcp + 4, sequence);
        Memory.put32(at + tcp + 8, 77);
        Memory.put32(at + tcp + 12, 0x8000_0000 | flags << 16 | 500);
        Memory.put32(at + tcp + 16, 0);
        Memory.put32(at + tcp + 20, 0x0101_080a);
        Memory.put64(at + tcp + 24, 0x0000_0005_0000_0006L);
        for (int i = 0; i < payload; i++) {
            Memory.put8(at + headers + i, sequence + i);
        }
        sums(at, payload);
        burst.append(headers + payload);
    }

    private void sums(long at, int payload) {
        int covered = 32 + payload;
        long pseudo = InternetChecksum.pseudoIpv6(
                Memory.i64(at + 22), Memory.i64(at + 30), Memory.i64(at + 38), Memory.i64(at + 46), HeaderParser.TCP, covered);
        if (tcp == ETHERNET + IPV4) {
            Memory.put16(at + 24, 0);
            Memory.put16(at + 24, InternetChecksum.of(at + ETHERNET, IPV4));
            pseudo = InternetChecksum.pseudoIpv4(Memory.i32(at + 26), Memory.i32(at + 30), HeaderParser.TCP, covered);
        }
        Memory.put16(at + tcp + 16, 0);
        Memory.put16(at + tcp + 16, InternetChecksum.fold(InternetChecksum.add(pseudo, at + tcp, covered)));
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

    @ParameterizedTest
    @ValueSource(ints = {IPV4, IPV6})
    void segmentsJoinToTheFirstShorterOneOrPsh(int ipBytes) {
        version(ipBytes);
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
        version(IPV4 + IPV6 - ipBytes);
        segment(0, 100, ACK);
        tcp = ETHERNET + ipBytes;
        headers = tcp + 32;
        segment(100, 100, ACK);
        assertThat(train.count(burst, 0)).as("another version of IP").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {IPV4, IPV6})
    void whatDiffersDoesNotJoin(int ipBytes) {
        version(ipBytes);
        assertThat(joinedAfter(_ -> {}, true)).isEqualTo(3);
        assertThat(joinedAfter(at -> Memory.put8(at + headers + 50, 0), false)).as("a wrong checksum").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put32(at + tcp + 4, 101), true)).as("a gap").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put32(at + tcp + 8, 78), true)).as("another acknowledgment").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put16(at + tcp + 14, 501), true)).as("another window").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put16(at + tcp, 81), true)).as("another port").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + tcp + 13, ACK | 1), true)).as("a FIN").isEqualTo(1);
        assertThat(joinedAfter(at -> Memory.put8(at + tcp + 27, 9), true)).as("another timestamp").isEqualTo(1);
        for (int at : ipBytes == IPV4 ? new int[] {15, 22, 29, 33} : new int[] {15, 17, 21, 29, 37, 45, 53}) {
            assertThat(joinedAfter(frame -> Memory.put8(frame + at, 77), true)).as("byte %d", at).isEqualTo(1);
        }
        assertThat(joinedAfter(at -> Memory.put8(at + (ipBytes == IPV4 ? 23 : 20), HeaderParser.UDP), true))
                .as("another protocol")
                .isEqualTo(1);
        if (ipBytes == IPV4) {
            assertThat(joinedAfter(at -> Memory.put16(at + 20, 0x2000), true)).as("a fragment").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {IPV4, IPV6})
    void aWholeThatIsNotTakenLeavesItsFirstSegmentAsItWas(int ipBytes) {
        version(ipBytes);
        segment(0, 100, ACK);
        segment(100, 60, ACK | PSH);
        byte[] before = Memory.read(burst.offset(0), burst.length(0));
        assertThat(train.count(burst, 0)).isEqualTo(2);
        try (Arena arena = Arena.ofConfined()) {
            long room = arena.allocate(2_048, 8).address();
            assertThat(train.join(burst, 0, 2, room, room + 16)).isEqualTo(2);
            assertThat(Memory.u8(room + 1)).as("the kind of train").isEqualTo(ipBytes == IPV4 ? 1 : 4);
            assertThat(Memory.u16Le(room + 2)).isEqualTo(ipBytes + 32);
            assertThat(Memory.u16Le(room + 6)).isEqualTo(ipBytes);
        }
        int length = ipBytes == IPV4 ? 2 : 4;
        assertThat(Memory.u16(burst.offset(0) + ETHERNET + length)).isEqualTo((ipBytes == IPV4 ? 52 : 32) + 160);
        assertThat(Memory.u8(burst.offset(0) + tcp + 13)).isEqualTo(ACK | PSH);
        assertThat(Memory.read(burst.offset(0), burst.length(0))).isNotEqualTo(before);
        train.part();
        assertThat(Memory.read(burst.offset(0), burst.length(0))).isEqualTo(before);
    }
}
