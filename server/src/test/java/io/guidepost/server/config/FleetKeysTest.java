package io.guidepost.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.fleet.FleetSettings;
import io.guidepost.server.RunningServer;
import java.net.InetSocketAddress;
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
        Path password = Files.writeString(folder.resolve("password"), "secret\nand more\n");
        Configuration configuration = Configuration.load(null, Map.of(), with(
                "fleet.data-centre=west",
                "fleet.keyspace=names",
                "fleet.user=guidepost",
                "fleet.password-file=" + password,
                "fleet.tls-authority=" + password,
                "fleet.consistency=quorum",
                "fleet.stale-millis=250"));
        FleetSettings settings = StoreConfiguration.fleet(configuration);
        assertThat(settings.contactPoints()).containsExactly(new InetSocketAddress("127.0.0.1", 1));
        assertThat(settings.dataCentre()).isEqualTo("west");
        assertThat(settings.keyspace()).isEqualTo("names");
        assertThat(settings.user()).isEqualTo("guidepost");
        assertThat(settings.password()).isEqualTo("secret");
        assertThat(settings.authority()).contains(password);
        assertThat(settings.consistency()).isEqualTo(FleetSettings.Consistency.QUORUM);
        assertThat(settings.staleMillis()).isEqualTo(250);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fleet.contact-points=                                        | fleet.contact-points: is empty: name nodes of the cluster
            fleet.user=guidepost                                         | fleet.user: fleet.user and fleet.password-file belong together
            placement.binding-file=FILE placement.prefix-file=FILE       | placement.binding-file: names other servers
            sites.file=FILE                                              | sites.file: names other servers
            names.enabled=true                                           | names.enabled: needs a store that tells each change
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
    void aServerWhoseClusterDoesNotAnswerSaysSoInOneLine() {
        assertThatThrownBy(() -> RunningServer.start(folder, with().toArray(String[]::new)))
                .isInstanceOf(java.io.IOException.class)
                .hasMessageContaining("no node of the cluster answers at 127.0.0.1:1")
                .message()
                .doesNotContain("\n");
    }
}
