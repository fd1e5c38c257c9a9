package io.guidepost.scaffold.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class LabelHeaderTest {
    private final long room = Arena.global().allocate(LabelHeader.BYTES, 8).address();

    private String written(int epoch, boolean heard) {
        LabelHeader.writeBare(room, 0xfd00_0001_0002_0003L, 0x1122_3344_5566_7788L, 0xfd00_0001_0002_0004L, -2, epoch, heard);
        return HexFormat.of().formatHex(Memory.read(room, LabelHeader.BYTES));
    }

    @Test
    void labelsArePrefixAndFlow() {
        String addresses = "fd00000100020003" + "1122334455667788" + "fd00000100020004" + "fffffffffffffffe";
        assertThat(written(0x705, false)).isEqualTo("60000005" + "00003b40" + addresses);
        assertThat(LabelHeader.isHeard(room)).isFalse();
        assertThat(written(0x705, true)).isEqualTo("60000105" + "00003b40" + addresses);
        assertThat(LabelHeader.isHeard(room)).isTrue();
        assertThat(LabelHeader.isBare(room)).isTrue();
        assertThat(LabelHeader.isOfEpoch(room, 5)).isTrue();
        assertThat(LabelHeader.isOfEpoch(room, 6)).isFalse();
        assertThat(LabelHeader.senderPrefix(room)).isEqualTo(0xfd00_0001_0002_0003L);
        assertThat(LabelHeader.senderFlow(room)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(LabelHeader.receiverPrefix(room)).isEqualTo(0xfd00_0001_0002_0004L);
        assertThat(LabelHeader.receiverFlow(room)).isEqualTo(-2);
    }

    /** The flow label of the program's kernel gives way to the epoch; the traffic class stays. */
    @Test
    void anEpochLeavesTheTrafficClass() {
        Memory.put32(room, 0x6b7c_afe5);
        LabelHeader.epoch(room, 0x1ff);
        assertThat(Memory.i32(room)).isEqualTo(0x6b70_00ff);
        assertThat(LabelHeader.is(room, 39)).isFalse();
        assertThat(LabelHeader.is(room, 40)).isTrue();
        Memory.put8(room, 0x45);
        assertThat(LabelHeader.is(room, 40)).isFalse();
    }
}
