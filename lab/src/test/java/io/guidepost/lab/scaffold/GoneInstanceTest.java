package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.flow.FlowMachine;
import org.junit.jupiter.api.Test;

/** An instance's host loses its power while no program sends: the object router tells of it. */
final class GoneInstanceTest {
    private static final int PAUSE_MILLIS = 60_000;

    private final FewHosts hosts = new FewHosts();

    @Test
    void anIdleConnectionGoesOnElsewhereBeforeItIsUsed() {
        SimulatedHost first = hosts.host("first", 1);
        hosts.serve(first);
        SimulatedHost client = hosts.host("client", 1);
        hosts.world.playMillis(2_000);
        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), 1_000, 2);
        download.pauseMillis(PAUSE_MILLIS);
        hosts.world.playMillis(500);
        hosts.serve(hosts.host("second", 1));

        first.silent(true);
        hosts.world.playMillis(PAUSE_MILLIS / 2);
        assertThat(client.machine.failovers()).singleElement().matches(FlowMachine.Failover::resumed);
        hosts.world.playMillis(PAUSE_MILLIS);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(client.machine.failovers()).hasSize(1);
        assertThat(hosts.faults).isEmpty();
    }
}
