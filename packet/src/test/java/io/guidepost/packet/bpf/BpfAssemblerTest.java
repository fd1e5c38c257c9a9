package io.guidepost.packet.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Encodings against those of RFC 9669, as a disassembler prints their bytes. */
class BpfAssemblerTest {
    private static String hex(BpfAssembler code) {
        long[] words = code.assemble();
        ByteBuffer bytes = ByteBuffer.allocate(words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void instructionsHaveTheBytesOfTheSpecification() {
        assertThat(hex(new BpfAssembler().moveNumber(0, 2).exit())).isEqualTo("b700000002000000" + "9500000000000000");
        assertThat(hex(new BpfAssembler().move(6, 1))).isEqualTo("bf16000000000000");
        assertThat(hex(new BpfAssembler().load(Size.WORD, 2, 1, 4))).isEqualTo("6112040000000000");
        assertThat(hex(new BpfAssembler().load(Size.HALF, 4, 2, 12))).isEqualTo("69240c0000000000");
        assertThat(hex(new BpfAssembler().load(Size.BYTE, 5, 2, 23))).isEqualTo("7125170000000000");
        assertThat(hex(new BpfAssembler().load(Size.DOUBLE, 1, 0, 0))).isEqualTo("7901000000000000");
        assertThat(hex(new BpfAssembler().store(Size.WORD, 10, -4, 8))).isEqualTo("638afcff00000000");
        assertThat(hex(new BpfAssembler().store(Size.DOUBLE, 0, 0, 1))).isEqualTo("7b10000000000000");
        assertThat(hex(new BpfAssembler().addNumber(2, -4))).isEqualTo("07020000fcffffff");
        assertThat(hex(new BpfAssembler().add(4, 5))).isEqualTo("0f54000000000000");
        assertThat(hex(new BpfAssembler().andNumber(5, 15))).isEqualTo("570500000f000000");
        assertThat(hex(new BpfAssembler().shiftLeft(5, 2))).isEqualTo("6705000002000000");
        assertThat(hex(new BpfAssembler().shiftRight(2, 4))).isEqualTo("7702000004000000");
        assertThat(hex(new BpfAssembler().subtract(3, 8))).isEqualTo("1f83000000000000");
        assertThat(hex(new BpfAssembler().or(2, 3))).isEqualTo("4f32000000000000");
        assertThat(hex(new BpfAssembler().bigEndian(4, 32))).isEqualTo("dc04000020000000");
        assertThat(hex(new BpfAssembler().atomicAdd(7, 64, 2))).isEqualTo("db27400000000000");
        assertThat(hex(new BpfAssembler().map(1, 7))).isEqualTo("1811000007000000" + "0000000000000000");
        assertThat(hex(new BpfAssembler().number(0, 0x1122334455667788L)))
                .isEqualTo("1800000088776655" + "0000000044332211");
        assertThat(hex(new BpfAssembler().call(51))).isEqualTo("8500000033000000");
    }

    @Test
    void jumpsCountFromTheInstructionBehindThem() {
        BpfAssembler code = new BpfAssembler()
                .jumpIf(Condition.EQUAL, 4, 8, "end")
                .jumpIfWord(Condition.NOT_EQUAL, 5, -1, "end")
                .jumpIfRegister(Condition.GREATER, 4, 3, "end")
                .jump("next")
                .label("next")
                .label("end")
                .exit();
        assertThat(hex(code))
                .isEqualTo("1504030008000000" + "56050200ffffffff" + "2d34010000000000" + "0500000000000000"
                        + "9500000000000000");
    }

    @Test
    void labelsAreSetOnceAndBehindTheirJumps() {
        assertThatThrownBy(() -> new BpfAssembler().jump("nowhere").assemble()).hasMessageContaining("nowhere");
        assertThatThrownBy(() -> new BpfAssembler().label("back").jump("back").assemble()).hasMessageContaining("back");
        assertThatThrownBy(() -> new BpfAssembler().label("one").label("one")).hasMessageContaining("twice");
    }
}
