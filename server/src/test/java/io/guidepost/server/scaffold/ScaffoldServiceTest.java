package io.guidepost.server.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.object.Distance;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.config.ConfigurationException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is an object router. */
class ScaffoldServiceTest {
    @TempDir
    private Path folder;

    private final HostKey host = ScaffoldClient.newKey();
    private final ObjectKey web = ScaffoldClient.newObject();

    private List<String> settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "scaffold.enabled=true",
                "scaffold.listen=127.0.0.1",
                "scaffold.port=0",
                "scaffold.folder=" + folder.resolve("scaffold")));
        all.addAll(List.of(more));
        return all;
    }

    private static InetSocketAddress at(RunningServer server) {
        return server.server().scaffoldAddresses().getFirst();
    }

    private static GnrsClient gnrs(RunningServer server) throws Exception {
        return GnrsClient.open(server.address(), new GnrsClientSettings(5_000, 3, 1));
    }

    private static List<Locator> places(GnrsClient client, Guid guid, boolean recursive) throws Exception {
        return client.lookup(guid, recursive).bindings().stream().map(Binding::locator).toList();
    }

    @Test
    void clientsOfGnrsFindAnObjectAndCannotChangeIt() throws Exception {
        try (RunningServer server = RunningServer.start(folder, settings());
                ScaffoldClient serving = ScaffoldClient.joined(at(server), host);
                GnrsClient client = gnrs(server)) {
            serving.register(web, 8080, "web");
            Locator here = Locator.of(serving.here().toSocketAddress());

            assertThat(places(client, web.guid(), true)).containsExactly(here);
            assertThat(places(client, web.guid(), false)).containsExactly(Locator.of(serving.instance(web, 8080)));
            for (Guid each : List.of(web.guid(), serving.instance(web, 8080), host.guid())) {
                assertThatThrownBy(() -> client.update(each, List.of(Binding.of(Locator.parse("10.0.0.1:7000")))))
                        .hasMessageContaining("SCAFFOLD");
            }
            assertThat(places(client, host.guid(), false)).containsExactly(here);
            assertThat(server.page("/scaffold"))
                    .contains("\"name\": \"web\"", "\"state\": \"healthy\"", host.guid().toString(), serving.here().toString());
            assertThat(server.metric("guidepost_scaffold_instances{state=\"healthy\"}")).isEqualTo(1);
            assertThat(server.page("/health")).contains("\"status\": \"ok\"");
        }
    }

    @Test
    void aRestartKeepsItsKeyAndWhatWasRegistered() throws Exception {
        Guid router;
        Guid instance;
        try (RunningServer server = RunningServer.start(folder, settings());
                ScaffoldClient serving = ScaffoldClient.joined(at(server), host)) {
            serving.register(web, 8080, "web");
            router = serving.answer.guid(Tlv.HOST);
            instance = serving.instance(web, 8080);
        }
        Path key = folder.resolve("scaffold").resolve("host.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key))).isEqualTo("rw-------");
        try (RunningServer server = RunningServer.start(folder, settings());
                ScaffoldClient client = ScaffoldClient.joined(at(server), ScaffoldClient.newKey());
                ScaffoldClient again = new ScaffoldClient(at(server), host)) {
            assertThat(server.page("/health")).contains("\"status\": \"degraded\"", "scaffold-unheard");
            client.resolve("web");
            assertThat(client.answer.guid(Tlv.HOST)).isEqualTo(router);
            assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(instance);
            again.join();
            again.register(web, 8080, "web");
            assertThat(server.page("/health")).contains("\"status\": \"ok\"");
            assertThat(server.page("/scaffold")).contains("\"unheard\": 0", "\"healthy\": 1");
        }
    }

    @Test
    void aReloadLetsAHostIn() throws Exception {
        List<String> sets = settings("scaffold.hosts=" + ScaffoldClient.newKey().guid());
        try (RunningServer server = RunningServer.start(folder, sets);
                ScaffoldClient client = new ScaffoldClient(at(server), host)) {
            client.join();
            assertThat(client.answer.reason()).isEqualTo(Reason.NOT_ALLOWED);
            assertThat(server.sum("guidepost_scaffold_responses_total", "outcome=\"not_allowed\"")).isEqualTo(1);
            sets.add("scaffold.hosts=" + host.guid());
            assertThat(server.server().reload().done()).isTrue();
            client.join();
            assertThat(client.answer.has(Tlv.REASON)).isFalse();
        }
    }

    @Test
    void aKeyThatIsNoneIsRefusedAsAtAStart() throws Exception {
        Files.createDirectories(folder.resolve("scaffold"));
        Files.writeString(folder.resolve("scaffold").resolve("host.key"), "nothing");
        assertThatThrownBy(() -> Server.check(RunningServer.configuration(folder, settings().toArray(String[]::new))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("scaffold.folder")
                .hasMessageContaining("openssl genpkey");
        assertThatThrownBy(() -> RunningServer.configuration(folder, "scaffold.hosts=somewhere"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("scaffold.hosts");
        assertThatThrownBy(() -> RunningServer.configuration(folder, "scaffold.enabled=true", "scaffold.port=5001", "gnrs.port=5001"))
                .hasMessageContaining("5001");
    }

    private static long low(String address) {
        return Addresses.low(java.net.InetAddress.ofLiteral(address));
    }

    @Test
    void whatIsNearIsSaidByTheTopology() throws Exception {
        Address router = Address.parse("192.0.2.1");
        OperatorNetwork network = new OperatorNetwork();
        network.topology(Topology.EMPTY.with(new TopologyRouter(router, true, 1, List.of(), List.of())));
        network.add(Prefix.parse("10.0.0.0/8"), PrefixAttachment.internal(router, 0));
        network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(router, 0, 64_512, 3));
        network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(router, 0, 64_513, 1));
        Ranking ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        Distance distance = ScaffoldService.distance(() -> ranking);

        long near = distance.of(0, low("10.0.0.1"), 0, low("30.0.0.1"));
        long far = distance.of(0, low("10.0.0.1"), 0, low("20.0.0.1"));
        long unknown = distance.of(0, low("10.0.0.1"), 0, low("40.0.0.1"));
        assertThat(near).isLessThan(far);
        assertThat(far).isLessThan(unknown);
        assertThat(distance.of(0, low("40.0.0.1"), 0, low("20.0.0.1"))).isEqualTo(distance.of(0, low("40.0.0.1"), 0, low("30.0.0.1")));
    }
}
