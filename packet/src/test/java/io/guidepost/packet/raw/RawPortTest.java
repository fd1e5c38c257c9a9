package io.guidepost.packet.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.guidepost.packet.Capabilities;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Machine;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawPortTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sizes", "jumbo", "tags", "addresses", "bursts", "ping", "tcp", "udp", "queues", "closed", "down",
                "no-memory", "quiet", "checksums"
            })
    void scene(String name) throws IOException, InterruptedException {
        Namespaces.run(RawScenes.class, name);
    }

    @Test
    void whatIsWrongIsSaidInOneLine() {
        Machine.assumeLinux();
        assertThatThrownBy(() -> FramePortOpener.open("packet:nosuch0"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("packet:nosuch0: no interface \"nosuch0\"; there are ");
        assertThatThrownBy(() -> FramePortOpener.open("packet:lo,fanout=hush"))
                .isInstanceOf(IOException.class)
                .hasMessage("packet:lo: fanout is \"hush\";"
                        + " it must be hash or balance or processor or rollover or random or queue");
        assertThatThrownBy(() -> FramePortOpener.open("packet:lo,qdisc=no"))
                .isInstanceOf(IOException.class)
                .hasMessage("packet:lo: no option \"qdisc\"; there are bypass, checksums, defrag, fanout");
        assertThatThrownBy(() -> RawPort.open(FrameSettings.of("lo").withOptions(Map.of("bypass", "maybe"))))
                .isInstanceOf(IOException.class)
                .hasMessage("packet:lo: bypass is \"maybe\"; it must be true or false");
    }

    /** Capabilities are each thread's own: the one that opens here gives its up. */
    @Test
    void aMissingPrivilegeIsSaidWithTheWayToGetIt() throws InterruptedException {
        Machine.assumeLinux();
        AtomicReference<Throwable> refused = new AtomicReference<>();
        Thread.ofPlatform().start(() -> {
            Capabilities.drop();
            refused.set(catchThrowable(() -> RawPort.open(FrameSettings.of("lo")).close()));
        }).join();
        assertThat(refused.get()).hasMessageContaining("CAP_NET_RAW").hasMessageContaining("unshare -rn");
    }
}
