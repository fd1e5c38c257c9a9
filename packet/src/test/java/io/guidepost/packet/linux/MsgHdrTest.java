package io.guidepost.packet.linux;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;

class MsgHdrTest {
    private static final StructLayout HEADER = MemoryLayout.structLayout(
            ADDRESS.withName("name"),
            JAVA_INT.withName("nameLength"),
            MemoryLayout.paddingLayout(4),
            ADDRESS.withName("vector"),
            JAVA_LONG.withName("vectorCount"),
            ADDRESS.withName("control"),
            JAVA_LONG.withName("controlLength"),
            JAVA_INT.withName("flags"),
            MemoryLayout.paddingLayout(4),
            JAVA_INT.withName("length"),
            MemoryLayout.paddingLayout(4));

    @Test
    void theConstantsAgreeWithTheLayoutOfTheKernel() {
        assertThat(HEADER.byteSize()).isEqualTo(MsgHdr.HEADER_BYTES).isEqualTo(1L << MsgHdr.HEADER_SHIFT);
        assertThat(offset("name")).isEqualTo(MsgHdr.NAME);
        assertThat(offset("nameLength")).isEqualTo(MsgHdr.NAME_LENGTH);
        assertThat(offset("vector")).isEqualTo(MsgHdr.VECTOR);
        assertThat(offset("vectorCount")).isEqualTo(MsgHdr.VECTOR_COUNT);
        assertThat(offset("control")).isEqualTo(MsgHdr.CONTROL);
        assertThat(offset("controlLength")).isEqualTo(MsgHdr.CONTROL_LENGTH);
        assertThat(offset("flags")).isEqualTo(MsgHdr.FLAGS);
        assertThat(offset("length")).isEqualTo(MsgHdr.LENGTH);
    }

    @Test
    void addressesAndControlMessagesFitIntoTheirRoom() {
        assertThat(MsgHdr.IPV6_NAME_BYTES).isLessThanOrEqualTo(1 << MsgHdr.NAME_SHIFT);
        assertThat(MsgHdr.controlSpace(MsgHdr.IPV6_PACKET_INFORMATION_BYTES) + 2 * MsgHdr.controlSpace(Integer.BYTES))
                .isLessThanOrEqualTo(1 << MsgHdr.CONTROL_SHIFT);
    }

    private static long offset(String field) {
        return HEADER.byteOffset(groupElement(field));
    }
}
