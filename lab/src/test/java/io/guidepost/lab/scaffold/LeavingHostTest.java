package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.object.InstanceState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an object router knows of hosts that stop, that take an instance back, and that it has forgotten. */
final class LeavingHostTest {
    private static final int LEASE_MILLIS = 10_000;

    /** Ten of the longest leases, after which a silent host is forgotten, and some more. */
    private static final int FORGOTTEN_MILLIS = 340_000;

    private final FewHosts hosts = new FewHosts();

    private void assertComplete(SimulatedHost client, int times) {
        int found = hosts.found(client);
        List<SimulatedPrograms.FileClient> downloads = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            downloads.add(client.connect(found, 10_000, 1));
        }
        hosts.world.playMillis(500);
        assertThat(downloads).allMatch(each -> each.outcome() == SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(hosts.faults).isEmpty();
    }

    /** Without a word of it each second connection would begin with a silent host. */
    @Test
    void aGatewayThatStopsGetsNoFlowAtOnce() {
        SimulatedHost first = hosts.host("first", 1);
        hosts.serve(first);
        hosts.serve(hosts.host("second", 1));
        SimulatedHost client = hosts.host("client", 1);
        hosts.world.playMillis(2_000);
        assertThat(hosts.internet.instances(InstanceState.HEALTHY)).isEqualTo(2);

        first.leave();
        hosts.world.playMillis(20);
        first.killGateway();
        assertThat(hosts.internet.instances(InstanceState.HEALTHY)).isEqualTo(1);
        assertComplete(client, 10);

        first.startGateway();
        hosts.world.playMillis(2_000);
        assertThat(hosts.internet.instances(InstanceState.HEALTHY)).isEqualTo(2);
    }

    @Test
    void anInstanceThatWasDrainedIsTakenBack() {
        SimulatedHost server = hosts.host("server", 1);
        hosts.serve(server);
        server.drain();
        hosts.world.playMillis(20);
        assertThat(hosts.internet.instances(InstanceState.DRAINING)).isEqualTo(1);
        hosts.world.playMillis(LEASE_MILLIS / 2);
        assertThat(InstanceState.values()).allMatch(each -> hosts.internet.instances(each) == 0);

        hosts.serve(server);
        assertComplete(hosts.host("client", 1), 1);
    }

    /** What the two have agreed on must not count from 0 again: the host would refuse the numbers that it has heard before. */
    @Test
    void aHostThatWasForgottenComesBack() {
        hosts.serve(hosts.host("server", 1));
        SimulatedHost client = hosts.host("client", 1);
        hosts.world.playMillis(2_000);
        assertComplete(client, 1);

        hosts.internet.blackhole(client.ways.getFirst(), true);
        hosts.world.playMillis(FORGOTTEN_MILLIS);
        hosts.internet.blackhole(client.ways.getFirst(), false);
        hosts.world.playMillis(LEASE_MILLIS);
        assertComplete(client, 1);
    }
}
