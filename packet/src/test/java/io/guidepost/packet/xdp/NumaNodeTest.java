package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.Machine;
import io.guidepost.packet.linux.HugePages;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NumaNodeTest {
    @Test
    void theKernelTakesANodeThatIsThereAndNoOther() {
        assumeTrue(Machine.LINUX && Files.isDirectory(Path.of("/sys/devices/system/node/node0")), "a kernel without nodes");
        assertThat(NumaNode.bind(HugePages.allocate(1 << 20), 0)).isTrue();
        assertThat(NumaNode.bind(HugePages.allocate(1 << 20), 62)).isFalse();
    }

    @Test
    void aDeviceThatHasNoNodeAsksForNone() {
        assertThat(NumaNode.prefer(HugePages.allocate(1 << 20), -1)).isFalse();
    }
}
