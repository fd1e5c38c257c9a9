package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The response that is written in place is byte for byte that of the object form. */
class ResolveResponseWriterTest {
    private static final long SEED = 21;
    private static final int[] VERSIONS = {0x0000, 0x0100, 0x01ff, 0x0200, 0x0205, 0x020a, 0x020b, 0x020c, 0x0300};
    private static final long NOW = 1_700_000_000;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final byte[] found = HandleVectors.bytes(HandleVectors.RESOLVED);
    private final byte[] body =
            Arrays.copyOfRange(found, ResolveResponseWriter.BODY, found.length - ResolveResponseWriter.END_BYTES);

    @Test
    void responsesOfBothFormsAreTheSame() throws Malformed {
        for (int version : VERSIONS) {
            for (int suggested : VERSIONS) {
                compare(version, suggested, false);
                compare(version, suggested, true);
            }
        }
    }

    private void compare(int version, int suggested, boolean primary) throws Malformed {
        byte[] request = HandleVectors.bytes(HandleVectors.RESOLVE);
        int split = random.nextBoolean() ? HandleWire.SPLIT : 0;
        ByteBuffer.wrap(request)
                .putShort(HandleWire.MAJOR, (short) version)
                .put(HandleWire.FLAGS, (byte) (split | suggested >>> 8))
                .put(HandleWire.SUGGESTED_MINOR, (byte) suggested)
                .putInt(HandleWire.SESSION, random.nextInt())
                .putInt(HandleWire.REQUEST, random.nextInt())
                .putInt(HandleWire.OP_FLAGS, random.nextInt() & ~ResolveResponseWriter.FURTHER)
                .put(HandleWire.RECURSION, (byte) random.nextInt());
        ResponseBuilder answers = new ResponseBuilder(random.nextInt(0x1_0000), primary);
        byte[] expected = answers.answer(
                        HandleMessage.read(request),
                        request,
                        ResponseCode.SUCCESS,
                        HandleMessage.read(found).body(),
                        NOW)
                .write();
        ResolveRequestFlyweight question = new ResolveRequestFlyweight();
        assertThat(question.parse(MemorySegment.ofArray(request), 0, request.length))
                .isEqualTo(ResolveRequestFlyweight.Verdict.RESOLVE);
        byte[] out = new byte[5 + expected.length];
        Arrays.fill(out, (byte) 0x55);
        System.arraycopy(body, 0, out, 5 + ResolveResponseWriter.BODY, body.length);
        int length = ResolveResponseWriter.write(
                answers, question, ResponseCode.SUCCESS, NOW, body.length, MemorySegment.ofArray(out), 5);
        assertThat(Arrays.copyOfRange(out, 5, 5 + length))
                .as("seed %d, version %x, suggested %x", SEED, version, suggested)
                .isEqualTo(expected);
    }
}
