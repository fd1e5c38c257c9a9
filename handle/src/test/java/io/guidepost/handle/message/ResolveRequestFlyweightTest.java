package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResolveRequestFlyweight.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
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
