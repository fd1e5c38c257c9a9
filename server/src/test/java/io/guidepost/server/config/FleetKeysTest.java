package io.guidepost.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.fleet.FleetSettings;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of fleets: what becomes of each, and what is refused beside them. */
class FleetKeysTest {
    private static final List<String> CLUSTER = List.of("store.engine=cassandra", "fleet.contact-points=127.0.0.1:1");

    @TempDir
    private Path folder;

    private static List<String> with(String... more) {
        return Stream.concat(CLUSTER.stream(), Stream.of(more)).toList();
    }

    @Test
    void eachKeySaysHowTheClusterIsReached() throws Exception {
        Path login = Files.writeString(folder.resolve("login"), "guidepost:se:cret\nand more\n");
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef");
        Configuration configuration = Configuration.load(null, Map.of(), with(
                "fleet.keyspace=names",
                "fleet.login-file=" + login,
                "fleet.tls-authority=" + login,
                "fleet.consistency=quorum",
                "fleet.stale-millis=250",
                "fleet.serve-stale-millis=60000",
                "fleet.front-ends=127.0.0.1:1,127.0.0.1:2",
                "sites.key-file=" + key));
        FleetSettings settings = StoreConfiguration.fleet(configuration);
        assertThat(settings.contactPoints()).containsExactly(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1));
        assertThat(settings.keyspace()).isEqualTo("names");
        assertThat(settings.user()).isEqualTo("guidepost");
        assertThat(settings.password()).isEqualTo("se:cret");
        assertThat(settings.authority()).contains(login);
        assertThat(settings.consistency()).isEqualTo(FleetSettings.Consistency.QUORUM);
        assertThat(settings.staleMillis()).isEqualTo(250);
        assertThat(settings.serveStaleMillis()).isEqualTo(60_000);
        assertThat(configuration.get(FleetKeys.FRONT_ENDS)).hasSize(2);
        Files.writeString(login, "guidepost\n");
        assertThatThrownBy(() -> StoreConfiguration.fleet(configuration)).hasMessageContaining("is not user:password");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fleet.contact-points=                                        | fleet.contact-points: is empty: name nodes of the cluster
            fleet.front-ends=127.0.0.1:1                                 | fleet.front-ends: needs sites.key-file
            placement.binding-file=FILE placement.prefix-file=FILE       | placement.binding-file: names other servers
            sites.file=FILE                                              | sites.file: names other servers
            scaffold.enabled=true                                        | scaffold.enabled: needs a store that tells each change
            gnrs.writer-names-max=5                                      | gnrs.writer-names-max: records of a cluster are not counted
            handle.enabled=true handle.replication-admins=300:0.NA/1     | store.engine: servers of a cluster keep no log of transactions
            """)
    void whatNeedsAStoreOfItsOwnIsRefused(String settings, String sentence) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        List<String> sets = new ArrayList<>(CLUSTER);
        Stream.of(settings.strip().split(" ")).map(each -> each.replace("FILE", file.toString())).forEach(sets::add);
        assertThatThrownBy(() -> Configuration.load(null, Map.of(), sets))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aServerWhoseClusterDoesNotAnswerLivesAndSaysSo() throws Exception {
        List<String> settings = with(
                "handle.enabled=true", "handle.listen=127.0.0.1", "handle.tcp-port=0", "handle.udp-port=0", "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle"),
                "names.enabled=true", "names.listen=127.0.0.1", "names.http-port=0", "names.folder=" + folder.resolve("names"));
        try (RunningServer server = RunningServer.start(folder, settings);
                GnrsClient names = GnrsClient.open(server.address(), new GnrsClientSettings(5000, 1, 1));
                HandleClient handles = HandleClient.at(
                        List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, server.server().handleTcpAddresses().getFirst())),
                        HandleClientSettings.DEFAULT)) {
            assertThat(page(server, "/health")).startsWith("503 ").contains("cluster-away", "prefixes-unread");
            // A start does not wait for an attempt that takes long.
            assertThat(RunningServer.eventually(() -> page(server, "/health").contains("no node of the cluster answers at 127.0.0.1:1")))
                    .isTrue();
            assertThat(page(server, "/ready")).startsWith("503 ");
            Guid guid = Handle.of("1234/some").guid();
            assertThatThrownBy(() -> names.lookup(guid)).hasMessageContaining("answered FAILED");
            assertThatThrownBy(() -> names.insert(guid, List.of(Binding.of(Locator.parse("192.0.2.1:7000")))))
                    .hasMessageContaining("answered FAILED");
            assertThat(handles.resolve(Handle.of("1234/some")).code()).isEqualTo(ResponseCode.ERROR);
            assertThat(page(server.server().namesAddresses().getFirst(), "/v1/names/some")).startsWith("503 ");
            assertThat(page(server.server().namesAddresses().getFirst(), "/v1/names?watch=1")).startsWith("501 ");
        }
    }

    @Test
    void theDoctorSaysThatTheClusterDoesNotAnswer() {
        List<String> command = new ArrayList<>(List.of("doctor", "-s", "gnrs.port=0", "-s", "admin.port=0"));
        with("store.folder=" + folder).forEach(each -> command.addAll(List.of("-s", each)));
        CommandRun run = CommandRun.of(command.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).containsPattern("cluster +BAD +no node of the cluster answers at 127.0.0.1:1");
    }

    private static String page(RunningServer server, String path) {
        return page(server.server().adminAddress().orElseThrow(), path);
    }

    private static String page(InetSocketAddress at, String path) {
        try {
            HttpURLConnection page =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + at.getPort() + path).toURL().openConnection();
            try (InputStream in = page.getResponseCode() == 200 ? page.getInputStream() : page.getErrorStream()) {
                return page.getResponseCode() + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
