package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts behind NATs, which let in only what comes from where something was sent to lately. */
final class TranslatedHostsTest {
    private static final int IDLE_MILLIS = 200_000;

    private final EventScheduler world = new EventScheduler(1);
    private final SimulatedInternet internet = new SimulatedInternet(world);
    private final List<String> faults = new ArrayList<>();
    private int address = 0x0a00_0100;

    private SimulatedHost host(String name, boolean translated) {
        List<HostLocator> ways = List.of(place());
        SimulatedTcp.Options options = new SimulatedTcp.Options(1_300, 4, true, true, 7);
        SimulatedHost host = new SimulatedHost(name, world, internet, ways, HostKey.generate(internet.keys), options, false, faults);
        internet.add(host);
        if (translated) {
            internet.nat(ways.getFirst());
        }
        return host;
    }

    private HostLocator place() {
        return new HostLocator(0, Addresses.ipv4Low(address++), 5_500);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void aConnectionBeginsAndOutlivesSilence(boolean atClient, boolean atServer) {
        SimulatedHost server = host("server", atServer);
        SimulatedHost client = host("client", atClient);
        ObjectKey object = ObjectKey.generate(internet.keys);
        LocalService service = new LocalService(
                "web", object.delegate(server.key().guid(), SimulatedHost.EPOCH_MILLIS / 1_000 + 100_000), 6,
                SimulatedHost.HTTP_PORT, true, 0, 1);
        server.serve(service, new SimulatedPrograms.Manners(true, true, false, "server"));
        world.playMillis(2_000);
        int[] found = new int[1];
        client.resolve("web", (at, _) -> found[0] = at);
        world.playMillis(500);

        SimulatedPrograms.FileClient download = client.connect(found[0], 100_000, 2);
        download.pauseMillis(IDLE_MILLIS);
        world.playMillis(500);
        assertThat(download.delivered()).isEqualTo(100_000);
        world.playMillis(IDLE_MILLIS + 500);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(faults).isEmpty();
    }
}
