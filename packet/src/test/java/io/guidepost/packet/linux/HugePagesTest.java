package io.guidepost.packet.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class HugePagesTest {
    @Test
    void memoryIsZeroAndAllOfItCanBeWritten() {
        long bytes = 3 * HugePages.BYTES;
        MemorySegment memory = HugePages.allocate(bytes);
        assertThat(memory.byteSize()).isEqualTo(bytes);
        assertThat(memory.address() % Long.BYTES).isZero();
        for (long at = 0; at < bytes; at += 4096 - Long.BYTES) {
            long aligned = at & -Long.BYTES;
            assertThat(memory.get(ValueLayout.JAVA_LONG, aligned)).isZero();
            memory.set(ValueLayout.JAVA_LONG, aligned, at);
        }
        memory.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) 1);
    }
}
