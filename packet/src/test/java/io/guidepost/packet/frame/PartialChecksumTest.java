package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.TransportChecksum;
import org.junit.jupiter.api.Test;

/** What is left to a port and completed by it is what a whole computation gives, for frames of all kinds. */
class PartialChecksumTest {
    private static final int ROUNDS = 20_000;

    private final long seed = System.nanoTime();
    private final FrameMaker maker = new FrameMaker(seed);
    private final FramePool pool = new FramePool(256, 2048, 256);
    private final Burst burst = Burst.ofFrames(pool.view("test"), 1, 0);
    private final HeaderParser headers = new HeaderParser();

    private void put(byte[] frame) {
        burst.clear();
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
        headers.read(burst, 0);
    }

    private byte[] bytes() {
        byte[] frame = new byte[burst.length(0)];
        Memory.copy(burst.offset(0), frame, 0, frame.length);
        return frame;
    }

    /** Equal, but that TCP may have either zero. */
    private static boolean isSame(byte[] one, byte[] other, int zeroAt) {
        byte[] changed = other.clone();
        if (zeroAt >= 0 && one[zeroAt] == -1 && one[zeroAt + 1] == -1 && other[zeroAt] == 0 && other[zeroAt + 1] == 0) {
            changed[zeroAt] = -1;
            changed[zeroAt + 1] = -1;
        }
        return java.util.Arrays.equals(one, changed);
    }

    @Test
    void whatIsLeftAndCompletedIsTheWholeChecksum() {
        int left = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] right = maker.make();
            put(right);
            boolean known = InternetChecksum.leave(burst, 0, headers);
            int protocol = headers.protocol();
            int state = burst.checksum(0);
            if (TransportChecksum.isPartial(state)) {
                left++;
                assertThat(protocol).as("seed %d", seed).isIn(HeaderParser.UDP, HeaderParser.TCP);
                assertThat(InternetChecksum.check(headers)).as("seed %d", seed)
                        .isIn(InternetChecksum.State.PARTIAL, InternetChecksum.State.RIGHT);
                assertThat(InternetChecksum.check(burst, 0, headers)).isEqualTo(InternetChecksum.State.PARTIAL);
                assertThat(InternetChecksum.looksPartial(headers)).isTrue();
            }
            InternetChecksum.complete(burst, 0);
            assertThat(burst.checksum(0)).isEqualTo(TransportChecksum.UNKNOWN);
            int field = TransportChecksum.start(state) + TransportChecksum.field(state);
            assertThat(isSame(bytes(), right, known ? field : -1)).as("seed %d round %d", seed, round).isTrue();
        }
        assertThat(left).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void partialOnesAreFoundAndOthersAreLeftAlone() {
        PartialChecksums finder = new PartialChecksums();
        int found = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] right = maker.make();
            put(right);
            boolean chance = InternetChecksum.looksPartial(headers);
            finder.find(burst);
            assertThat(burst.checksum(0) != TransportChecksum.UNKNOWN && !chance).as("seed %d", seed).isFalse();
            InternetChecksum.complete(burst, 0);
            put(right);
            InternetChecksum.leave(burst, 0, headers);
            int state = burst.checksum(0);
            // As it comes from a port that does not know.
            burst.checksum(0, TransportChecksum.UNKNOWN);
            finder.find(burst, 0);
            assertThat(burst.checksum(0)).as("seed %d", seed).isEqualTo(state);
            found += TransportChecksum.isPartial(state) ? 1 : 0;
        }
        assertThat(found).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void anyBytesAreReadWithoutHarm() {
        PartialChecksums finder = new PartialChecksums();
        for (int round = 0; round < ROUNDS; round++) {
            put(round % 4 == 0 ? maker.noise() : maker.mutate(maker.make()));
            int length = burst.length(0);
            finder.find(burst);
            InternetChecksum.complete(burst, 0);
            assertThat(burst.length(0)).isEqualTo(length);
        }
    }

    @Test
    void bytesBehindTheDatagramAreNotSummed() {
        Bytes bytes = Bytes.of(Bytes.UDP4 + "ffee ddcc");
        byte[] frame = new byte[bytes.length()];
        bytes.read(frame);
        byte[] broken = frame.clone();
        broken[40] = 0x12;
        put(broken);
        assertThat(InternetChecksum.leave(burst, 0, headers)).isTrue();
        assertThat(burst.checksum(0)).as("it was filled in").isEqualTo(TransportChecksum.UNKNOWN);
        assertThat(bytes()).isEqualTo(frame);
    }

    @Test
    void whatTheDeviceSaysIsTaken() {
        byte[] frame = new byte[44];
        Bytes.of(Bytes.UDP4).read(frame);
        put(frame);
        assertThat(InternetChecksum.check(burst, 0, headers)).isEqualTo(InternetChecksum.State.RIGHT);
        burst.checksum(0, TransportChecksum.WRONG);
        assertThat(InternetChecksum.check(burst, 0, headers)).isEqualTo(InternetChecksum.State.WRONG);
        burst.checksum(0, TransportChecksum.RIGHT);
        headers.frame().put16(42, 1);
        assertThat(InternetChecksum.check(burst, 0, headers)).isEqualTo(InternetChecksum.State.RIGHT);
        burst.checksum(0, TransportChecksum.UNKNOWN);
        assertThat(InternetChecksum.check(burst, 0, headers)).isEqualTo(InternetChecksum.State.WRONG);
    }
}
