package io.guidepost.gnrs.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated deployments of one server: nothing is asked of others, but crashes, full disks and clocks are as with many. */
class ClusterTest {
    private static final ClusterOptions ALONE = new ClusterOptions(1, 300, EnumSet.allOf(Fault.class), false, false);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void one_server_alone_keeps_its_promises(long seed) {
        ClusterRun run = Cluster.run(seed, ALONE);
        assertThat(run.breaches()).isEmpty();
        assertThat(run.acknowledged()).isPositive();
    }
}
