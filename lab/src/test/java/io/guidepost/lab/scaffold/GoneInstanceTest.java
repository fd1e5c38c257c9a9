package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance's host loses its power while no program sends: the object router tells of it. */
final class GoneInstanceTest {
    private static final int PAUSE_MILLIS = 60_000;

    private final EventScheduler world = new EventScheduler(1);
    private final SimulatedInternet internet = new SimulatedInternet(world);
    private final List<String> faults = new ArrayList<>();
    private int address = 0x0a00_0100;

    private SimulatedHost host(String name) {
        SimulatedTcp.Options options = new SimulatedTcp.Options(1_300, 4, true, true, 7);
        List<HostLocator> ways = List.of(new HostLocator(0, Addresses.ipv4Low(address++), 5_500));
        SimulatedHost host = new SimulatedHost(name, world, internet, ways, HostKey.generate(internet.keys), options, false, faults);
        internet.add(host);
        return host;
    }

    private void serve(SimulatedHost server, ObjectKey object) {
        LocalService service = new LocalService(
                "web", object.delegate(server.key().guid(), SimulatedHost.EPOCH_MILLIS / 1_000 + 100_000), 6,
                SimulatedHost.HTTP_PORT, true, 0, 1);
        server.serve(service, new SimulatedPrograms.Manners(true, true, false, "server"));
        world.playMillis(2_000);
    }

    @Test
    void anIdleConnectionGoesOnElsewhereBeforeItIsUsed() {
        ObjectKey object = ObjectKey.generate(internet.keys);
        SimulatedHost first = host("first");
        serve(first, object);
        SimulatedHost client = host("client");
        world.playMillis(2_000);
        int[] found = new int[1];
        client.resolve("web", (at, _) -> found[0] = at);
        world.playMillis(500);
        SimulatedPrograms.FileClient download = client.connect(found[0], 1_000, 2);
        download.pauseMillis(PAUSE_MILLIS);
        world.playMillis(500);
        serve(host("second"), object);

        first.silent(true);
        world.playMillis(PAUSE_MILLIS / 2);
        assertThat(client.machine.failovers()).singleElement().matches(FlowMachine.Failover::resumed);
        world.playMillis(PAUSE_MILLIS);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(client.machine.failovers()).hasSize(1);
        assertThat(faults).isEmpty();
    }
}
