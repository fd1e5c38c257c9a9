package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.wire.HostLocator;
import org.junit.jupiter.api.Test;

/** An instance is gone while no program sends, or while the client's gateway is away: the object router knows more. */
final class GoneInstanceTest {
    private static final int PAUSE_MILLIS = 60_000;

    private final FewHosts hosts = new FewHosts();

    /** Begins two downloads by one connection, which waits between the two now. */
    private SimulatedPrograms.FileClient paused(SimulatedHost client) {
        hosts.world.playMillis(2_000);
        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), 1_000, 2);
        download.pauseMillis(PAUSE_MILLIS);
        hosts.world.playMillis(500);
        return download;
    }

    @Test
    void anIdleConnectionGoesOnElsewhereBeforeItIsUsed() {
        SimulatedHost first = hosts.host("first", 1);
        hosts.serve(first);
        SimulatedHost client = hosts.host("client", 1);
        SimulatedPrograms.FileClient download = paused(client);
        hosts.serve(hosts.host("second", 1));

        first.silent(true);
        hosts.world.playMillis(PAUSE_MILLIS / 2);
        assertThat(client.machine.failovers()).singleElement().matches(FlowMachine.Failover::resumed);
        hosts.world.playMillis(PAUSE_MILLIS);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(client.machine.failovers()).hasSize(1);
        assertThat(hosts.faults).isEmpty();
    }

    /** The server tells those of its move that have flows to it: the client had one, but its gateway did not hear of the end. */
    @Test
    void aConnectionEndsThatHasEndedAtAHostWhichMovedMeanwhile() {
        SimulatedHost server = hosts.host("server", 1);
        hosts.serve(server);
        SimulatedHost client = hosts.host("client", 1);
        SimulatedPrograms.FileClient download = paused(client);

        client.killGateway();
        server.killWorker();
        hosts.world.playMillis(100);
        server.move(0, new HostLocator(0, Addresses.ipv4Low(0x0a00_4711), 5_500));
        hosts.world.playMillis(5_000);
        client.startGateway();
        hosts.world.playMillis(PAUSE_MILLIS / 2);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.RESET);
        assertThat(hosts.faults).isEmpty();
    }
}
