package io.guidepost.packet.tap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Machine;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TapPortTest {
    @ParameterizedTest
    @ValueSource(strings = {"ping", "tun", "queues", "bytes", "refusals", "closed", "checksums", "tcp", "trains"})
    void scene(String name) throws IOException, InterruptedException {
        Namespaces.run(TapScenes.class, name);
    }

    @Test
    void whatIsWrongWithANameIsSaidInOneLine() {
        Machine.assumeLinux();
        assertThatThrownBy(() -> FramePortOpener.open("tap:"))
                .isInstanceOf(IOException.class)
                .hasMessage("tap:: an interface has a name of 1 to 15 letters, without /");
        assertThatThrownBy(() -> FramePortOpener.open("tun:t0,mtu=1e3"))
                .isInstanceOf(IOException.class)
                .hasMessage("tun:t0: mtu is \"1e3\"; it must be a number, 0 to 65521");
        assertThatThrownBy(() -> FramePortOpener.open("tap:t0,adress=10.0.0.1/24"))
                .isInstanceOf(IOException.class)
                .hasMessage("tap:t0: no option \"adress\"; there are address, checksums, mac, mtu, persistent, trains");
    }
}
