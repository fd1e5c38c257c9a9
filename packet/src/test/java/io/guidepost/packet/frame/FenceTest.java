package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import org.junit.jupiter.api.Test;

class FenceTest {
    @Test
    void whatIsBehindTheFenceCannotBeRead() {
        Fence fence = new Fence(100);
        long at = fence.place(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 8);
        assertThat(Memory.i64(at)).isEqualTo(0x0102_0304_0506_0708L);
        assertThatThrownBy(() -> Memory.i64(at + 1)).isInstanceOf(InternalError.class);
        assertThatThrownBy(() -> Memory.u8(at + 8)).isInstanceOf(InternalError.class);
    }
}
