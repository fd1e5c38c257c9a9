package io.guidepost.packet.bpf;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Machine;
import io.guidepost.packet.Namespaces;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TcxOffloadTest {
    @Test
    void theKernelChangesPacketsAsTheTableSays() throws IOException, InterruptedException {
        Namespaces.runAsRoot(TcxScenes.class, "tcx");
    }

    @Test
    void whatIsMissingIsSaidInOneLine() {
        Machine.assumeLinux();
        assertThatThrownBy(() -> TcxOffload.open("nothing", 0)).isInstanceOf(IOException.class).hasMessageContaining("nothing: ");
    }
}
