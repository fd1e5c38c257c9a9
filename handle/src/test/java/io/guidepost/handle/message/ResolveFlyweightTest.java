package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResolveFlyweight.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The question read in place: it sees what the reader of objects sees. */
class ResolveFlyweightTest {
    private final ResolveFlyweight in = new ResolveFlyweight();

    private Verdict parse(byte[] bytes) {
        return in.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    @Test
    void aQuestionForAllIsReadInPlace() {
        byte[] question = Vectors.bytes(Vectors.RESOLVE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            MemorySegment.copy(question, 0, memory, Wire.BYTE, 13, question.length);
            assertThat(in.parse(memory, 13, question.length)).isEqualTo(Verdict.RESOLVE);
            byte[] handle = memory.asSlice(in.handle(), in.handleLength()).toArray(Wire.BYTE);
            assertThat(handle).isEqualTo(Handle.of("1234/1").bytes());
        }
        assertThat(in.wantsAll()).isTrue();
        assertThat(in.requestId()).isEqualTo(0x7518a1b9);
        assertThat(in.sessionId()).isZero();
        assertThat(in.versions()).isEqualTo(0x020b020b);
        assertThat(in.flags()).isEqualTo(0x19000000);
        assertThat(in.has(OpFlag.PUBL)).isTrue();
        assertThat(in.has(OpFlag.CERT)).isFalse();
        assertThat(in.digested()).isEqualTo(13 + 20);
        assertThat(in.digestedLength()).isEqualTo(24 + 18);
    }

    @Test
    void aQuestionForSomeIsReadInPlace() {
        byte[] question = Vectors.bytes(Vectors.RESOLVE_SOME);
        assertThat(parse(question)).isEqualTo(Verdict.RESOLVE);
        assertThat(in.wantsAll()).isFalse();
        assertThat(in.indexCount()).isEqualTo(1);
        assertThat(in.index(0)).isEqualTo(2);
        assertThat(in.typeCount()).isEqualTo(1);
        assertThat(Arrays.copyOfRange(question, (int) in.types(), (int) in.types() + 7))
                .isEqualTo(Vectors.bytes("0000000355524c"));
    }

    @Test
    void otherMessagesAreLeftToOthers() {
        Vectors.all().forEach((name, hex) -> assertThat(parse(Vectors.bytes(hex)))
                .as(name)
                .isEqualTo(name.equals("RESOLVE") || name.equals("RESOLVE_SOME") ? Verdict.RESOLVE : Verdict.OTHER));
        assertThat(parse(Vectors.bytes(Vectors.E_RESOLVE))).isEqualTo(Verdict.OTHER);
        assertThat(parse(new byte[19])).isEqualTo(Verdict.OTHER);
        assertThat(parse(Vectors.bytes(Vectors.RESOLVE + "00"))).isEqualTo(Verdict.OTHER);
        assertThat(parse(Vectors.bytes(Vectors.RESOLVE.replace("020b020b", "020b820b")))).isEqualTo(Verdict.OTHER);
        assertThat(parse(Vectors.bytes(Vectors.RESOLVE.replace("0000002e", "0004002e")))).isEqualTo(Verdict.OTHER);
    }

    @Test
    void aSignedQuestionIsLeftToOthers() throws io.guidepost.names.Malformed {
        Credential credential = new Credential(Handle.NONE, 1, Credential.MAC, "HMAC-SHA256", new byte[32]);
        byte[] signed = Message.read(Vectors.bytes(Vectors.RESOLVE)).with(credential).write();
        assertThat(parse(signed)).isEqualTo(Verdict.OTHER);
    }

    @Test
    void aPartIsSeenToBeOne() {
        byte[] question = Vectors.bytes(Vectors.RESOLVE);
        for (int length = 20; length < question.length; length++) {
            assertThat(parse(Arrays.copyOf(question, length))).isEqualTo(Verdict.PART);
        }
    }
}
