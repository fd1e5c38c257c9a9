package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts behind NATs, which let in only what comes from where something was sent to lately. */
final class TranslatedHostsTest {
    private static final int IDLE_MILLIS = 200_000;

    private final FewHosts hosts = new FewHosts();

    private SimulatedHost host(String name, boolean translated) {
        SimulatedHost host = hosts.host(name, 1);
        if (translated) {
            hosts.internet.nat(host.ways.getFirst());
        }
        return host;
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void aConnectionBeginsAndOutlivesSilence(boolean atClient, boolean atServer) {
        SimulatedHost server = host("server", atServer);
        SimulatedHost client = host("client", atClient);
        hosts.serve(server);

        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), 100_000, 2);
        download.pauseMillis(IDLE_MILLIS);
        hosts.world.playMillis(500);
        assertThat(download.delivered()).isEqualTo(100_000);
        hosts.world.playMillis(IDLE_MILLIS + 500);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(hosts.faults).isEmpty();
    }

    /** A NAT that gives another port towards each other place is no hindrance where the other end has none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionBeginsByANatThatMapsByDestination(boolean atClient) {
        SimulatedHost server = hosts.host("server", 1);
        SimulatedHost client = hosts.host("client", 1);
        hosts.internet.natByDestination((atClient ? client : server).ways.getFirst());
        hosts.serve(server);

        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), 100_000, 2);
        download.pauseMillis(IDLE_MILLIS);
        hosts.world.playMillis(IDLE_MILLIS + 1_000);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(hosts.faults).isEmpty();
    }

    /** Between such a NAT and another there is no path, and no data goes by the router: the program is told, and waits for nothing. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void betweenTwoOfWhichOneMapsByDestinationAConnectionIsReset(boolean atClient, boolean atServer) {
        SimulatedHost server = host("server", true);
        SimulatedHost client = host("client", true);
        if (atClient) {
            hosts.internet.natByDestination(client.ways.getFirst());
        }
        if (atServer) {
            hosts.internet.natByDestination(server.ways.getFirst());
        }
        hosts.serve(server);

        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), 100_000, 1);
        hosts.world.playMillis(30_000);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.RESET);
        assertThat(client.machine.failovers()).first().matches(each -> each.cause().startsWith("its host is silent"));
        assertThat(hosts.faults).isEmpty();
    }
}
