package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts have two ways each, and what lies on one of them is silent for longer than a lease: no host is told. */
final class SilentRouterTest {
    private static final int LEASES_MILLIS = 40_000;

    private final FewHosts hosts = new FewHosts();

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void aConnectionBeginsByTheOtherWay(boolean atClient, boolean atServer) {
        SimulatedHost server = hosts.host("server", 2);
        SimulatedHost client = hosts.host("client", 2);
        hosts.serve(server);
        int found = hosts.found(client);
        assertThat(found).isNotZero();

        hosts.internet.blackhole(client.ways.getFirst(), atClient);
        hosts.internet.blackhole(server.ways.getFirst(), atServer);
        hosts.world.playMillis(LEASES_MILLIS);
        SimulatedPrograms.FileClient download = client.connect(found, 100_000, 1);
        hosts.world.playMillis(500);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(hosts.faults).isEmpty();
    }
}
