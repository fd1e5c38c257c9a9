package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerSettingsTest {
    private static final WorkerSettings NAPS_OF_40_US = WorkerSettings.of("w").withWaiting(0, 40_000, 100);

    @Test
    void noNapWhenLessThanOnePacketComesInItsTime() {
        assertThat(NAPS_OF_40_US.coalesceNanos(0, 1)).isZero();
        assertThat(NAPS_OF_40_US.coalesceNanos(1, 40_000)).isZero();
        assertThat(NAPS_OF_40_US.coalesceNanos(10, 1_000_000)).isZero();
    }

    @Test
    void aNapIsAsLongAsSetWhileFewerThanTwoPacketsComeInIt() {
        assertThat(NAPS_OF_40_US.coalesceNanos(1, 39_999)).isEqualTo(40_000);
        assertThat(NAPS_OF_40_US.coalesceNanos(50, 1_000_000)).isEqualTo(40_000);
    }

    @Test
    void aNapEndsWhenTwoPacketsAreLikelyToHaveCome() {
        assertThat(NAPS_OF_40_US.coalesceNanos(100, 1_000_000)).isEqualTo(20_000);
        assertThat(NAPS_OF_40_US.coalesceNanos(1_000, 1_000_000)).isEqualTo(2_000);
    }

    @Test
    void whoNeverNapsDoesNotForManyPacketsEither() {
        assertThat(WorkerSettings.of("w").withWaiting(50_000, 0, 100).coalesceNanos(1_000_000, 1)).isZero();
    }
}
