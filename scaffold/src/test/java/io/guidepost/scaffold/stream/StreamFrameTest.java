package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames as they stand on the wire, what streams keep, and continuations. */
class StreamFrameTest {
    private static void isAsItStands(String hex, StreamFrame frame) throws Malformed {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(StreamFrame.read(ByteBuffer.wrap(bytes))).isEqualTo(frame);
        ByteBuffer out = ByteBuffer.allocate(StreamFrame.HEAD_BYTES);
        frame.write(out);
        assertThat(HexFormat.of().formatHex(out.array())).isEqualTo(hex);
    }

    @Test
    void framesStandAsDrawn() throws Malformed {
        isAsItStands("01000100" + "0000000000000000", new StreamFrame(StreamFrame.Kind.CONTROL, 0, 256));
        isAsItStands("02004000" + "0000000100000002", new StreamFrame(StreamFrame.Kind.DATA, 0x1_0000_0002L, 16_384));
        isAsItStands("03000000" + "0000000000000005", new StreamFrame(StreamFrame.Kind.END, 5, 0));
        isAsItStands("04000000" + "0000000000000006", new StreamFrame(StreamFrame.Kind.TAKEN, 6, 0));
        isAsItStands("05000000" + "0000000000000003", new StreamFrame(StreamFrame.Kind.NEXT, 3, 0));
        isAsItStands("0600002c" + "0000000000000004", new StreamFrame(StreamFrame.Kind.CONTINUATION, 4, 44));
        isAsItStands("07000000" + "0000000000000003", new StreamFrame(StreamFrame.Kind.RESET, 3, 0));
    }

    private static void isFaulty(String hex, int offset, String reason) {
        assertThatThrownBy(() -> StreamFrame.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                .isInstanceOfSatisfying(Malformed.class, e -> {
                    assertThat(e.offset()).isEqualTo(offset);
                    assertThat(e.reason()).isEqualTo(reason);
                });
    }

    @Test
    void theFirstFaultIsNamed() {
        isFaulty("00000001" + "0000000000000000", 0, "there is no frame of kind 0");
        isFaulty("08000001" + "0000000000000000", 0, "there is no frame of kind 8");
        isFaulty("02000000" + "0000000000000000", 1, "DATA has 1 to 16384 bytes, not 0");
        isFaulty("02004001" + "0000000000000000", 1, "DATA has 1 to 16384 bytes, not 16385");
        isFaulty("01000100" + "0000000000000001", 4, "CONTROL has no number 1");
        isFaulty("04000000" + "ffffffffffffffff", 4, "TAKEN has no number -1");
        isFaulty("02000010" + "7ffffffffffffff8", 4, "DATA has no number 9223372036854775800");
    }

    @Test
    void mutatedFramesAreReadOrRefused() {
        SplittableRandom random = new SplittableRandom(3);
        byte[] seed = StreamFuzz.seeds().getFirst();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = seed.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            StreamFuzz.fuzz(bytes);
        }
    }

    @Test
    void keptBytesAreThoseThatWerePut() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] all = new byte[3 << 20];
        random.nextBytes(all);
        for (long start : new long[] {0, 1_000, 700_001}) {
            StreamBytes kept = new StreamBytes(start);
            long keep = start;
            while (kept.end() - start < all.length) {
                int room = (int) Math.min(StreamLimits.WINDOW_BYTES - (kept.end() - keep), all.length - (kept.end() - start));
                int count = random.nextInt(Math.min(room, 40_000) + 1);
                kept.put(keep, all, (int) (kept.end() - start), count);
                assertThat(kept.first()).isLessThanOrEqualTo(keep);
                byte[] there = new byte[(int) (kept.end() - kept.first())];
                kept.get(kept.first(), there, 0, there.length);
                assertThat(Arrays.equals(
                                there, 0, there.length, all, (int) (kept.first() - start), (int) (kept.end() - start)))
                        .isTrue();
                keep += random.nextLong(kept.end() - keep + 1);
            }
        }
    }

    @Test
    void aContinuationOpensForItsObjectAndItsClientAlone() {
        byte[] key = new byte[Continuation.KEY_BYTES];
        Guid object = Guid.ofAscii("object");
        Guid client = Guid.ofAscii("client");
        byte[] sealed = new Continuation(5, 6, new byte[] {7, 8}).seal(key, object, client, new SecureRandom());

        Continuation open = Continuation.open(sealed, key, object, client);
        assertThat(open).isNotNull();
        assertThat(open.taken()).isEqualTo(5);
        assertThat(open.sent()).isEqualTo(6);
        assertThat(open.state()).containsExactly(7, 8);
        assertThat(sealed).hasSize(Continuation.BYTES_LEAST + 2);
        assertThat(Continuation.open(sealed, key, client, object)).isNull();
        assertThat(Continuation.open(sealed, key, object, object)).isNull();
        for (int i = 0; i < sealed.length; i++) {
            byte[] other = sealed.clone();
            other[i] ^= 1;
            assertThat(Continuation.open(other, key, object, client)).isNull();
        }
        for (int length = 0; length < sealed.length; length++) {
            assertThat(Continuation.open(Arrays.copyOf(sealed, length), key, object, client)).isNull();
        }
    }
}
