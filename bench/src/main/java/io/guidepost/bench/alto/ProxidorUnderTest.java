package io.guidepost.bench.alto;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.DoorUnderTest;
import io.guidepost.bench.scene.ServerUnderTest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The real product with a test network, as a Proxidor server. */
public final class ProxidorUnderTest {
    private static final long LOAD_NANOS_MAX = TimeUnit.SECONDS.toNanos(120);

    private ProxidorUnderTest() {}

    /**
     * Starts it, and waits until it ranks.
     *
     * @param network main file of the Oracle's configuration
     * @param settings further configuration keys
     */
    public static DoorUnderTest start(
            BenchStage stage, String name, int cpu, Path network, Map<String, String> settings) {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeUdpPort());
        Map<String, String> all = new LinkedHashMap<>();
        all.put("proximity.files", network.toString());
        all.put("proxidor.enabled", "true");
        all.put("proxidor.listen", "127.0.0.1");
        all.put("proxidor.port", Integer.toString(address.getPort()));
        all.put("udp.segmentation-offload", "off");
        all.putAll(settings);
        DoorUnderTest started = new DoorUnderTest(stage.server(name, cpu, all), address);
        awaitNetwork(stage, started);
        return started;
    }

    private static void awaitNetwork(BenchStage stage, DoorUnderTest server) {
        ProxidorRequests questions = new ProxidorRequests(1, 2, null);
        UdpLoadGenerator asking = new UdpLoadGenerator(stage.port(), server.address(), questions, 1, () -> 0);
        long end = System.nanoTime() + LOAD_NANOS_MAX;
        while (System.nanoTime() - end < 0) {
            LoadResult tally = asking.run(0, TimeUnit.MILLISECONDS.toNanos(20));
            if (tally.answered() > tally.failed()) {
                return;
            }
        }
        throw new BenchFailure(server.name() + " does not rank within " + TimeUnit.NANOSECONDS.toSeconds(LOAD_NANOS_MAX) + " seconds");
    }
}
