package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
