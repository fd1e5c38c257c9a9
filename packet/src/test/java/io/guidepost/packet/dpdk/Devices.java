package io.guidepost.packet.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Opens devices for tests, or skips these where there is no DPDK. */
final class Devices {
    private Devices() {}

    /** Skips the test without DPDK: where the dynamic linker knows no library of it. What is there must start. */
    static void assumeDpdk() {
        try {
            Process known = new ProcessBuilder("sh", "-c", "PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q librte_ethdev").start();
            assumeTrue(known.waitFor() == 0, "there is no DPDK here (apt: dpdk)");
            Eal.start(null);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A device with options as {@code KEY=VALUE}. */
    static DpdkPort open(FrameSettings settings, String... options) throws IOException {
        assumeDpdk();
        Map<String, String> map = new LinkedHashMap<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            map.put(option.substring(0, equals), option.substring(equals + 1));
        }
        Port port = Dpdk.open(settings.withOptions(map));
        return (DpdkPort) port;
    }

    /** A device with one queue and all else as is usual. */
    static DpdkPort open(String device, String... options) throws IOException {
        return open(FrameSettings.of(device), options);
    }
}
