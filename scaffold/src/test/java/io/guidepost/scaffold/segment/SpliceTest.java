package io.guidepost.scaffold.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Segments of a connection that goes on at another instance. */
class SpliceTest {
    private static final long PSEUDO = 0x1_2345;
    private static final String MSS_SACK_TS_SCALE_7 = "020405b4" + "0402" + "080a00000064000000c8" + "01" + "030307";

    private final Arena arena = Arena.ofConfined();
    private final Splice splice = new Splice(new TcpOptions());

    @AfterEach
    void end() {
        arena.close();
    }

    private long segment(int sequence, int acknowledgment, int flags, int window, String options, String data) {
        byte[] optionBytes = HexFormat.of().parseHex(options);
        byte[] dataBytes = HexFormat.of().parseHex(data);
        int header = Tcp.BYTES + (optionBytes.length + 3) / 4 * 4;
        long tcp = arena.allocate(header + dataBytes.length, 4).address();
        Memory.put32(tcp, 80 << 16 | 50_000);
        Memory.put32(tcp + 4, sequence);
        Memory.put32(tcp + 8, acknowledgment);
        Memory.put8(tcp + 13, flags);
        Memory.put16(tcp + 14, window);
        Memory.put8(tcp + 12, header / 4 << 4);
        Memory.copy(optionBytes, 0, tcp + Tcp.BYTES, optionBytes.length);
        Memory.copy(dataBytes, 0, tcp + header, dataBytes.length);
        Memory.put16(tcp + Tcp.CHECKSUM, checksum(tcp, header + dataBytes.length));
        return tcp;
    }

    private static int checksum(long tcp, int bytes) {
        int before = Memory.u16(tcp + Tcp.CHECKSUM);
        Memory.put16(tcp + Tcp.CHECKSUM, 0);
        int sum = InternetChecksum.fold(InternetChecksum.add(PSEUDO, tcp, bytes));
        Memory.put16(tcp + Tcp.CHECKSUM, before);
        return sum;
    }

    private static void isRight(long tcp, int bytes) {
        assertThat(Memory.u16(tcp + Tcp.CHECKSUM)).isEqualTo(checksum(tcp, bytes));
    }

    private long synAck(int sequence, String options) {
        return segment(sequence, 1_001, Tcp.SYN | Tcp.ACK, 65_535, options, "");
    }

    @Test
    void withoutAnotherInstanceNothingChanges() {
        assertThat(splice.first(synAck(5_000, MSS_SACK_TS_SCALE_7))).isTrue();
        long request = segment(1_001, 5_001, Tcp.ACK, 500, "0101080a0000000100000064", "474554");

        assertThat(splice.rewriteRequest(request, 5_001)).isTrue();
        assertThat(Memory.i32(request + 8)).isEqualTo(5_001);
        isRight(request, 35);
    }

    @Test
    void segmentsOfBothSidesAreShifted() {
        splice.first(synAck(5_000, MSS_SACK_TS_SCALE_7));
        // The next instance began at 90,000, with clock 0x2000 where the client last saw 0x164, and a scale of 4 bits.
        assertThat(splice.next(synAck(90_000, "020405b4" + "0402" + "080a00002000000000c8" + "01" + "030304"), 85_000, 24, 0x164))
                .isTrue();

        long request = segment(1_001, 5_001, Tcp.ACK, 500, "0101" + "080a0000000100000164" + "0101" + "050a0000138900001770", "474554");
        assertThat(splice.rewriteRequest(request, 95_000)).isTrue();
        assertThat(Memory.i32(request + 4)).isEqualTo(1_025);
        assertThat(Memory.i32(request + 8)).isEqualTo(90_001);
        assertThat(Memory.u16(request + 14)).as("the client's window").isEqualTo(500);
        assertThat(Memory.i32(request + 24)).as("TSval").isEqualTo(1);
        assertThat(Memory.i32(request + 28)).as("TSecr").isEqualTo(0x2000);
        assertThat(Memory.i32(request + 36)).isEqualTo(5_001 + 85_000);
        assertThat(Memory.i32(request + 40)).isEqualTo(6_000 + 85_000);
        isRight(request, 47);

        long response = segment(90_001, 1_028, Tcp.ACK, 800, "0101080a00002005" + "00000001", "cafe");
        assertThat(splice.rewriteResponse(response)).isTrue();
        assertThat(Memory.i32(response + 4)).isEqualTo(5_001);
        assertThat(Memory.i32(response + 8)).isEqualTo(1_004);
        assertThat(Memory.u16(response + 14)).as("800 units of 16 in units of 128").isEqualTo(100);
        assertThat(Memory.i32(response + 24)).as("TSval").isEqualTo(0x169);
        assertThat(Memory.i32(response + 28)).as("TSecr").isEqualTo(1);
        isRight(response, 34);
    }

    /** The client has more of the first instance than the next has sent: a kernel ignores such acknowledgments. */
    @Test
    void nothingIsAcknowledgedThatTheInstanceHasNotSent() {
        splice.first(synAck(5_000, "0000"));
        splice.next(synAck(-90, "0000"), -5_090, 0, 0);
        for (int sent : new int[] {-89, 20, 200}) {
            long request = segment(1_001, 5_190, Tcp.ACK, 500, "", "474554");
            assertThat(splice.rewriteRequest(request, sent)).isTrue();
            assertThat(Memory.i32(request + 8)).isEqualTo(Math.min(sent, 100));
            isRight(request, 23);
        }
    }

    @Test
    void aWindowThatDoesNotFitIsTheLargest() {
        splice.first(synAck(5_000, "030302" + "00"));
        splice.next(synAck(5_000, "030308" + "00"), 0, 0, 0);
        long response = segment(5_001, 1_001, Tcp.ACK, 60_000, "", "");

        assertThat(splice.rewriteResponse(response)).isTrue();
        assertThat(Memory.u16(response + 14)).isEqualTo(0xffff);
        isRight(response, 20);
    }

    @Test
    void blocksThatAnInstanceDoesNotUnderstandAreLeftOut() {
        splice.first(synAck(5_000, MSS_SACK_TS_SCALE_7));
        assertThat(splice.next(synAck(9_000, "080a00000064000000c8" + "0101"), 4_000, 0, 0x64)).isTrue();
        long request = segment(1_001, 5_001, Tcp.ACK, 500, "01" + "050a0000138900001770" + "080a0000000100000064", "47");

        assertThat(splice.rewriteRequest(request, 9_001)).isTrue();
        for (int i = 21; i < 31; i++) {
            assertThat(Memory.u8(request + i)).isEqualTo(1);
        }
        isRight(request, 45);
    }

    @Test
    void anInstanceWithoutTheClockThatTheClientCountsOnIsRefused() {
        splice.first(synAck(5_000, MSS_SACK_TS_SCALE_7));

        assertThat(splice.next(synAck(9_000, "020405b4" + "0402" + "0101" + "030307" + "00"), 4_000, 0, 0x64)).isFalse();
    }

    @Test
    void aSynThatGoesToAnotherInstanceAsksForWhatWasAgreed() {
        splice.first(synAck(5_000, "020405b4"));
        long syn = segment(1_000, 0, Tcp.SYN, 64_000, MSS_SACK_TS_SCALE_7 + "2202" + "1e040000", "");
        splice.prepare(syn);

        TcpOptions left = new TcpOptions();
        assertThat(left.read(syn)).isTrue();
        assertThat(Memory.u16(syn + 22)).as("MSS").isEqualTo(1_460);
        assertThat(left.scales()).isFalse();
        assertThat(left.sackPermitted()).isFalse();
        assertThat(left.timestamps()).isEqualTo(TcpOptions.NONE);
        assertThat(Memory.u8(syn + 40)).as("Fast Open").isEqualTo(1);
        assertThat(Memory.u8(syn + 42)).as("MPTCP").isEqualTo(1);
    }

    /** There and back is where it was, across the ends of all number spaces, and the checksum is right on the way. */
    @Test
    void shiftsUndoEachOther() {
        SplittableRandom random = new SplittableRandom(22);
        for (int round = 0; round < 20_000; round++) {
            int response = random.nextInt();
            int request = random.nextInt(4) == 0 ? 0 : random.nextInt();
            int clock = random.nextInt();
            Splice there = new Splice(new TcpOptions());
            there.first(synAck(0, MSS_SACK_TS_SCALE_7));
            there.next(synAck(0, MSS_SACK_TS_SCALE_7), response, request, clock);
            String options = "01".repeat(random.nextInt(4)) + "080a" + hex(random.nextInt()) + hex(random.nextInt())
                    + "01".repeat(random.nextInt(3)) + "0512" + hex(random.nextInt()) + hex(random.nextInt())
                    + hex(random.nextInt()) + hex(random.nextInt());
            int sequence = random.nextInt();
            int acknowledgment = random.nextInt();
            long tcp = segment(sequence, acknowledgment, Tcp.ACK, random.nextInt(65_536), options, "ab".repeat(random.nextInt(9)));
            int bytes = TcpOptions.headerBytes(tcp);

            assertThat(there.rewriteRequest(tcp, acknowledgment + response + random.nextInt(1 << 30))).isTrue();
            assertThat(Memory.i32(tcp + 4)).isEqualTo(sequence + request);
            assertThat(Memory.i32(tcp + 8)).isEqualTo(acknowledgment + response);
            Splice back = new Splice(new TcpOptions());
            back.first(synAck(0, MSS_SACK_TS_SCALE_7));
            back.next(synAck(0, MSS_SACK_TS_SCALE_7), request, response, clock);
            assertThat(back.rewriteResponse(tcp)).isTrue();
            assertThat(Memory.i32(tcp + 4)).isEqualTo(sequence + request - request);
            assertThat(Memory.i32(tcp + 8)).isEqualTo(acknowledgment);
            assertThat(bytes).isEqualTo(TcpOptions.headerBytes(tcp));
        }
    }

    private static String hex(int number) {
        return HexFormat.of().toHexDigits(number);
    }

    /** Whatever stands where options should: nothing outside of the header is read or written. */
    @Test
    void noOptionsAreReadBeyondTheirEnd() {
        SplittableRandom random = new SplittableRandom(5);
        splice.first(synAck(5_000, MSS_SACK_TS_SCALE_7));
        splice.next(synAck(9_000, MSS_SACK_TS_SCALE_7), 4_000, 7, 0x64);
        int dropped = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] options = new byte[4 * random.nextInt(11)];
            random.nextBytes(options);
            for (int i = 0; i < options.length; i += 1 + random.nextInt(4)) {
                options[i] = (byte) new int[] {0, 1, 2, 3, 4, 5, 8, 30}[random.nextInt(8)];
            }
            long tcp = segment(1, 2, Tcp.ACK, 3, HexFormat.of().formatHex(options), "5a5a5a5a");
            dropped += splice.rewriteRequest(tcp, 5_000) ? 0 : 1;
            dropped += splice.rewriteResponse(tcp) ? 0 : 1;
            TcpOptions.retain(tcp, false, false, false);
            assertThat(Memory.i32(tcp + TcpOptions.headerBytes(tcp))).isEqualTo(0x5a5a5a5a);
        }
        assertThat(dropped).isPositive();
    }
}
