package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.ResolveRequestFlyweight.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The question read in place: it sees what the reader of objects sees. */
class ResolveRequestFlyweightTest {
    private final ResolveRequestFlyweight in = new ResolveRequestFlyweight();

    private Verdict parse(byte[] bytes) {
        return in.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    @Test
    void aQuestionForAllIsReadInPlace() {
        byte[] question = HandleVectors.bytes(HandleVectors.RESOLVE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            MemorySegment.copy(question, 0, memory, HandleWire.BYTE, 13, question.length);
            assertThat(in.parse(memory, 13, question.length)).isEqualTo(Verdict.RESOLVE);
            byte[] handle = memory.asSlice(in.handle(), in.handleLength()).toArray(HandleWire.BYTE);
            assertThat(handle).isEqualTo(Handle.of("1234/1").bytes());
        }
        assertThat(in.wantsAll()).isTrue();
        assertThat(in.requestId()).isEqualTo(0x7518a1b9);
        assertThat(in.sessionId()).isZero();
        assertThat(in.versions()).isEqualTo(0x020b020b);
        assertThat(in.flags()).isEqualTo(0x19000000);
        assertThat(in.has(OpFlag.PUBL)).isTrue();
        assertThat(in.has(OpFlag.CERT)).isFalse();
    }

    @Test
    void aQuestionForSomeIsReadInPlace() {
        byte[] question = HandleVectors.bytes(HandleVectors.RESOLVE_SOME);
        assertThat(parse(question)).isEqualTo(Verdict.RESOLVE);
        assertThat(in.wantsAll()).isFalse();
        assertThat(in.indexCount()).isEqualTo(1);
        assertThat(in.index(0)).isEqualTo(2);
        assertThat(in.typeCount()).isEqualTo(1);
        assertThat(Arrays.copyOfRange(question, (int) in.types(), (int) in.types() + 7))
                .isEqualTo(HandleVectors.bytes("0000000355524c"));
    }

    @Test
    void otherMessagesAreLeftToOthers() {
        HandleVectors.all().forEach((name, hex) -> assertThat(parse(HandleVectors.bytes(hex)))
                .as(name)
                .isEqualTo(name.equals("RESOLVE") || name.equals("RESOLVE_SOME") ? Verdict.RESOLVE : Verdict.OTHER));
        assertThat(parse(HandleVectors.bytes(HandleVectors.E_RESOLVE))).isEqualTo(Verdict.OTHER);
        assertThat(parse(new byte[19])).isEqualTo(Verdict.OTHER);
        assertThat(parse(HandleVectors.bytes(HandleVectors.RESOLVE + "00"))).isEqualTo(Verdict.OTHER);
        assertThat(parse(HandleVectors.bytes(HandleVectors.RESOLVE.replace("020b020b", "020b820b")))).isEqualTo(Verdict.OTHER);
        assertThat(parse(HandleVectors.bytes(HandleVectors.RESOLVE.replace("0000002e", "0004002e")))).isEqualTo(Verdict.OTHER);
    }

    @Test
    void aSignedQuestionIsLeftToOthers() throws io.guidepost.base.Malformed {
        MessageCredential credential = new MessageCredential(Handle.NONE, 1, MessageCredential.MAC, "HMAC-SHA256", new byte[32]);
        byte[] signed = HandleMessage.read(HandleVectors.bytes(HandleVectors.RESOLVE)).with(credential).write();
        assertThat(parse(signed)).isEqualTo(Verdict.OTHER);
    }

    /** A question with a handle of so many bytes, indexes 7, 8, ..., and types of so many bytes each; no credential. */
    private static byte[] question(int handleBytes, int indexes, int... typeBytes) {
        int body = 4 + handleBytes + 4 + 4 * indexes + 4 + Arrays.stream(typeBytes).map(each -> 4 + each).sum();
        ByteBuffer bytes = ByteBuffer.allocate(HandleWire.BODY + body);
        bytes.putInt(HandleWire.MAJOR, 0x020b_020b);
        bytes.putInt(HandleWire.SESSION, 0x0102_0304);
        bytes.putInt(HandleWire.LENGTH, HandleWire.HEADER_BYTES + body);
        bytes.putInt(HandleWire.OPCODE, 1);
        bytes.put(HandleWire.RECURSION, (byte) 200);
        bytes.putInt(HandleWire.BODY_LENGTH, body);
        bytes.position(HandleWire.BODY);
        bytes.putInt(handleBytes).put(new byte[handleBytes]).putInt(indexes);
        for (int i = 0; i < indexes; i++) {
            bytes.putInt(7 + i);
        }
        bytes.putInt(typeBytes.length);
        for (int each : typeBytes) {
            bytes.putInt(each).put(new byte[each]);
        }
        return bytes.array();
    }

    @Test
    void allPartsAreReadInPlace() {
        byte[] question = question(6, 3, 3, 5);
        byte[] further = new byte[5 + question.length];
        System.arraycopy(question, 0, further, 5, question.length);
        assertThat(in.parse(MemorySegment.ofArray(further), 5, question.length)).isEqualTo(Verdict.RESOLVE);
        assertThat(in.sessionId()).isEqualTo(0x0102_0304);
        assertThat(in.recursionCount()).isEqualTo(200);
        assertThat(in.indexCount()).isEqualTo(3);
        assertThat(in.index(0)).isEqualTo(7);
        assertThat(in.index(2)).isEqualTo(9);
        assertThat(in.typeCount()).isEqualTo(2);
        assertThat(in.types()).isEqualTo(5 + HandleWire.BODY + 4 + 6 + 4 + 12 + 4);
        assertThat(in.wantsAll()).isFalse();
        assertThat(parse(question(6, 1))).isEqualTo(Verdict.RESOLVE);
        assertThat(in.wantsAll()).isFalse();
        assertThat(parse(question(6, 0, 3))).isEqualTo(Verdict.RESOLVE);
        assertThat(in.wantsAll()).isFalse();
        assertThat(parse(question(0, 0))).isEqualTo(Verdict.RESOLVE);
        assertThat(in.wantsAll()).isTrue();
        assertThat(parse(question(6, 0, 0))).isEqualTo(Verdict.RESOLVE);
    }

    @Test
    void boundsAreInclusive() {
        int[] types = new int[HandleLimits.WANTED_MAX];
        assertThat(parse(question(HandleLimits.HANDLE_BYTES_MAX, 0))).isEqualTo(Verdict.RESOLVE);
        assertThat(parse(question(HandleLimits.HANDLE_BYTES_MAX + 1, 0))).isEqualTo(Verdict.OTHER);
        assertThat(parse(question(6, HandleLimits.WANTED_MAX))).isEqualTo(Verdict.RESOLVE);
        assertThat(parse(question(6, HandleLimits.WANTED_MAX + 1))).isEqualTo(Verdict.OTHER);
        assertThat(parse(question(6, 0, types))).isEqualTo(Verdict.RESOLVE);
        assertThat(parse(question(6, 0, Arrays.copyOf(types, types.length + 1)))).isEqualTo(Verdict.OTHER);
        assertThat(parse(question(6, 0, HandleLimits.TYPE_BYTES_MAX))).isEqualTo(Verdict.RESOLVE);
        assertThat(parse(question(6, 0, HandleLimits.TYPE_BYTES_MAX + 1))).isEqualTo(Verdict.OTHER);
        ByteBuffer part = ByteBuffer.allocate(HandleWire.ENVELOPE_BYTES);
        assertThat(parse(part.putInt(HandleWire.LENGTH, HandleLimits.MESSAGE_BYTES_MAX).array())).isEqualTo(Verdict.PART);
        assertThat(parse(part.putInt(HandleWire.LENGTH, HandleLimits.MESSAGE_BYTES_MAX + 1).array())).isEqualTo(Verdict.OTHER);
    }

    /** Message and body say that they end there: nothing is read behind, and only the whole body is a question. */
    @Test
    void aBodyThatEndsTooEarlyIsLeftToOthers() {
        byte[] question = question(6, 2, 3, 5);
        for (int length = HandleWire.BODY; length <= question.length; length++) {
            byte[] cut = Arrays.copyOf(question, length);
            ByteBuffer.wrap(cut)
                    .putInt(HandleWire.LENGTH, length - HandleWire.ENVELOPE_BYTES)
                    .putInt(HandleWire.BODY_LENGTH, length - HandleWire.BODY);
            assertThat(parse(cut)).as("%d bytes", length).isEqualTo(length == question.length ? Verdict.RESOLVE : Verdict.OTHER);
        }
    }

    @Test
    void aLengthThatCannotBeIsLeftToOthers() {
        byte[] question = question(6, 2, 3, 5);
        int indexes = HandleWire.BODY + 4 + 6;
        int types = indexes + 4 + 8;
        for (int at : new int[] {HandleWire.BODY_LENGTH, HandleWire.BODY, indexes, types, types + 4, types + 4 + 4 + 3}) {
            int right = ByteBuffer.wrap(question).getInt(at);
            for (int wrong : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, right + 1, right + 1000}) {
                byte[] bytes = question.clone();
                ByteBuffer.wrap(bytes).putInt(at, wrong);
                assertThat(parse(bytes)).as("%d at %d", wrong, at).isEqualTo(Verdict.OTHER);
            }
        }
    }

    @Test
    void nothingIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemorySegment[] questions = {
            MemorySegment.ofArray(HandleVectors.bytes(HandleVectors.RESOLVE)), MemorySegment
                    .ofArray(HandleVectors.bytes(HandleVectors.RESOLVE_SOME))
        };
        long sum = 0;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                MemorySegment question = questions[i & 1];
                sum += in.parse(question, 0, (int) question.byteSize()) == Verdict.RESOLVE ? in.handle() : -1_000_000;
                sum += in.indexCount() > 0 ? in.index(0) : in.types();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sum).isPositive();
        // Less than a byte for each question: before it is compiled the code that reads memory allocates.
        assertThat(least).isLessThan(20_000);
    }

    @Test
    void aPartIsSeenToBeOne() {
        byte[] question = HandleVectors.bytes(HandleVectors.RESOLVE);
        for (int length = 20; length < question.length; length++) {
            assertThat(parse(Arrays.copyOf(question, length))).isEqualTo(Verdict.PART);
        }
    }
}
