package io.guidepost.middlebox;

import io.guidepost.packet.Namespaces;
import java.io.IOException;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Middleboxes in front of real kernels and real tools; skipped where namespaces or tools are missing. */
@Execution(ExecutionMode.CONCURRENT)
class BoxTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "firewall", "firewall-load", "nat", "software-nat", "nat-load", "nat-workers", "bridge", "router",
                "router-load", "router-ipv6", "router-workers", "vlan", "balance", "balance-ipv6"
            })
    void toolsAreServedThroughIt(String scene) throws IOException, InterruptedException {
        Namespaces.run(BoxScenes.class, scene);
    }

    /** The kernels at both ends leave their checksums to devices, as they do; AF_XDP does not say which, tcpdump looks. */
    @ParameterizedTest
    @ValueSource(strings = {"native-firewall", "generic-firewall", "native-nat", "native-load", "nat-watched"})
    void soTheyAreWhereItTakesRoot(String scene) throws IOException, InterruptedException {
        Namespaces.runAsRoot(BoxScenes.class, scene);
    }
}
