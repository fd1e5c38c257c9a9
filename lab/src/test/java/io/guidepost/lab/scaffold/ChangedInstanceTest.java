package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.flow.FlowMachine;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A client takes an instance for dead that only it does not reach, and asks for another while the first has its connection still. */
final class ChangedInstanceTest {
    private static final int SIZE = 400_000;
    private static final int PAUSE_MILLIS = 5_000;

    private final FewHosts hosts = new FewHosts();
    private final SimulatedHost server = hosts.host("server", 1);
    private final SimulatedHost client = hosts.host("client", 1);

    private void playUntil(BooleanSupplier holds) {
        for (int i = 0; !holds.getAsBoolean(); i++) {
            assertThat(i).as("milliseconds").isLessThan(10_000);
            hosts.world.playMillis(1);
        }
    }

    private void cut(boolean isCut) {
        hosts.internet.cut(client.ways.getFirst(), server.ways.getFirst(), isCut);
        hosts.internet.cut(server.ways.getFirst(), client.ways.getFirst(), isCut);
    }

    private SimulatedPrograms.FileClient begun() {
        hosts.serve(server);
        hosts.world.playMillis(2_000);
        SimulatedPrograms.FileClient download = client.connect(hosts.found(client), SIZE, 2);
        download.pauseMillis(PAUSE_MILLIS);
        return download;
    }

    private void assertComplete(SimulatedPrograms.FileClient download) {
        hosts.world.playMillis(60_000);
        assertThat(download.outcome()).isEqualTo(SimulatedPrograms.FileClient.Outcome.COMPLETE);
        assertThat(hosts.faults).isEmpty();
    }

    private static List<String> peers(SimulatedHost host) {
        return host.machine.flows().stream().map(FlowMachine.FlowRow::peer).toList();
    }

    /** What the kernel has sent of the connection before, and is under way, would be taken for the new one's. */
    @Test
    void theSameInstanceHasTheNextConnectionByAnotherPort() {
        SimulatedPrograms.FileClient download = begun();
        playUntil(() -> download.delivered() > SIZE / 4);
        List<String> before = peers(server);
        assertThat(before).hasSize(1);

        cut(true);
        playUntil(() -> server.machine.flows().stream().anyMatch(each -> each.epoch() > 0));
        assertThat(peers(server)).hasSize(1).doesNotContainAnyElementsOf(before);
        cut(false);
        assertComplete(download);
    }

    /** The next one seals, the first does not: a gateway that is killed between the two goes on with the first. */
    @Test
    void aGatewayThatIsKilledMeanwhileGoesOnWithTheFirst() {
        SimulatedPrograms.FileClient download = begun();
        playUntil(() -> download.delivered() >= SIZE);
        SimulatedHost next = hosts.host("next", 1);
        next.sealAll();
        hosts.serve(next);
        playUntil(() -> download.delivered() > SIZE / 4 && download.delivered() < SIZE);

        cut(true);
        hosts.internet.weather(new SimulatedInternet.NetworkConditions(0, 0, 5_000_000, 0));
        playUntil(() -> client.machine.flows().stream().anyMatch(each -> each.state().equals("resuming")));
        client.killGateway();
        cut(false);
        hosts.world.playMillis(20);
        client.startGateway();
        assertComplete(download);
    }
}
