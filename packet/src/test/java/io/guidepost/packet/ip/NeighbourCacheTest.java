package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import org.junit.jupiter.api.Test;

class NeighbourCacheTest {
    private static final long LOW = Addresses.ipv4Low(0x0a000009);
    private static final long MAC = 0x02_00_00_00_00_09L;
    private static final int UNTAGGED = InterfaceQueue.UNTAGGED;

    private final NeighbourCache cache = new NeighbourCache();

    @Test
    void itLearnsOnlyWhatItAskedFor() {
        assertThat(cache.learn(0, LOW, UNTAGGED, MAC, 0)).isFalse();
        assertThat(cache.mustAsk(0, LOW, UNTAGGED, 0)).isTrue();
        assertThat(cache.learn(0, LOW, 7, MAC, 0)).as("in another VLAN").isFalse();
        assertThat(cache.learn(0, LOW + 1, UNTAGGED, MAC, 0)).as("another address").isFalse();
        assertThat(cache.learn(0, LOW, UNTAGGED, MAC, 3_000)).as("too late").isFalse();
        assertThat(cache.count(0)).isZero();
        assertThat(cache.learn(0, LOW, UNTAGGED, MAC, 2_999)).isTrue();
        assertThat(cache.find(0, LOW, UNTAGGED, 2_999)).isEqualTo(MAC);
    }

    @Test
    void itAsksOnceASecond() {
        assertThat(cache.mustAsk(0, LOW, UNTAGGED, 0)).isTrue();
        assertThat(cache.mustAsk(0, LOW, UNTAGGED, 999)).isFalse();
        assertThat(cache.mustAsk(0, LOW + 1, UNTAGGED, 999)).isTrue();
        assertThat(cache.mustAsk(0, LOW, UNTAGGED, 1_000)).isTrue();
        assertThat(cache.mustAsk(0, LOW, UNTAGGED, 1_999)).isFalse();
    }

    @Test
    void aNeighbourIsAskedAgainAfterAWhileAndForgottenInTheEnd() {
        cache.mustAsk(0, LOW, UNTAGGED, 0);
        cache.learn(0, LOW, UNTAGGED, MAC, 0);
        assertThat(cache.fresh(0, LOW, UNTAGGED, 29_999)).isEqualTo(MAC);
        assertThat(cache.fresh(0, LOW, UNTAGGED, 30_000)).isZero();
        assertThat(cache.find(0, LOW, UNTAGGED, 119_999)).isEqualTo(MAC);
        assertThat(cache.learn(0, LOW, UNTAGGED, MAC + 1, 119_999)).as("a known one moves by itself").isTrue();
        assertThat(cache.find(0, LOW, UNTAGGED, 120_000)).isEqualTo(MAC + 1);
        assertThat(cache.find(0, LOW, UNTAGGED, 239_999)).isZero();
        assertThat(cache.learn(0, LOW, UNTAGGED, MAC, 239_999)).isFalse();
    }
}
