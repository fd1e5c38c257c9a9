package io.guidepost.packet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortStage;
import io.guidepost.packet.TestPeer;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryNetworkTest {
    private static final MemoryNetwork.Impairment STORM = new MemoryNetwork.Impairment(0.2, 0.1, 0.3);
    private static final int NUMBER = 2_000;

    private static List<Integer> journey(MemoryNetwork.Impairment weather, long seed) throws IOException {
        MemoryNetwork network = new MemoryNetwork(weather, new SplittableRandom(seed));
        InetSocketAddress here = new InetSocketAddress(PortStage.address("10.0.0.1"), 5000);
        InetSocketAddress there = new InetSocketAddress(PortStage.address("10.0.0.2"), 5000);
        try (Port from = network.open(UdpSettings.of(here));
                Port to = network.open(UdpSettings.of(there))) {
            TestPeer sender = new TestPeer(from);
            TestPeer receiver = new TestPeer(to);
            List<Integer> arrived = new ArrayList<>();
            for (int i = 0; i < NUMBER; i++) {
                sender.append(new byte[i], there);
                if (i % 10 == 9) {
                    sender.flush();
                    receiver.receiveNow().forEach(it -> arrived.add(it.bytes().length));
                }
            }
            assertThat(to.rx(0).statistics().packets()).isEqualTo(arrived.size());
            assertThat(from.tx(0).statistics().drops(Drop.SIMULATED) + arrived.stream().distinct().count())
                    .isEqualTo(NUMBER);
            return arrived;
        }
    }

    @Test
    void oneSeedIsOneStory() throws IOException {
        assertThat(journey(STORM, 42)).isEqualTo(journey(STORM, 42)).isNotEqualTo(journey(STORM, 43));
    }

    @Test
    void fairWeatherKeepsEverythingInOrder() throws IOException {
        assertThat(journey(MemoryNetwork.Impairment.NONE, 1)).hasSize(NUMBER).isSorted();
    }

    @Test
    void aStormLosesRepeatsAndReordersAboutAsMuchAsItWasTold() throws IOException {
        List<Integer> arrived = journey(STORM, 5);
        long different = arrived.stream().distinct().count();
        assertThat(different).isBetween(1_500L, 1_700L);
        assertThat(arrived.size() - different).isBetween(100L, 220L);
        int early = 0;
        for (int i = 1; i < arrived.size(); i++) {
            early += arrived.get(i) < arrived.get(i - 1) ? 1 : 0;
        }
        assertThat(early).isBetween(150, 700);
    }

    @Test
    void aFullQueueIsCountedByItsOwner() throws IOException {
        MemoryNetwork network = new MemoryNetwork(MemoryNetwork.Impairment.NONE, new SplittableRandom(1));
        InetSocketAddress here = new InetSocketAddress(PortStage.address("10.0.0.1"), 0);
        try (Port from = network.open(UdpSettings.of(here));
                Port to = network.open(UdpSettings.of(here).withBuffers(10_000, 1))) {
            TestPeer sender = new TestPeer(from);
            for (int i = 0; i < 50; i++) {
                sender.append(TestPeer.pattern(1_000, i), to.localAddress());
            }
            sender.flush();
            TestPeer receiver = new TestPeer(to);
            assertThat(receiver.receiveNow()).hasSize(9);
            assertThat(receiver.sum(Drop.OVERFLOW)).isEqualTo(41);
        }
    }
}
