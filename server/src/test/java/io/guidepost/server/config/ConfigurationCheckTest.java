package io.guidepost.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code config} takes, {@code serve} takes. */
class ConfigurationCheckTest {
    /** What is no value of a key, for keys that take nearly any text. */
    private static final Map<String, String> NONSENSE = Map.of(
            "handle.template-delimiter", "5",
            "proximity.exits", "[\" \"]",
            "store.folder", "\"file/folder\"",
            "handle.folder", "\"file/folder\"",
            "alto.folder", "\"file/folder\"",
            "scaffold.folder", "\"file/folder\"",
            "names.folder", "\"file/folder\"",
            "proximity.dump-folder", "\"file/folder\"",
            "admin.backup-folder", "\"file/folder\"",
            "admin.socket", "\"missing/admin.sock\"");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.writeString(folder.resolve("file"), "this is neither a table nor a key\n");
        Files.writeString(folder.resolve("empty"), "");
    }

    static Stream<Key<?>> keys() {
        return ConfigurationKeys.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void nonsenseIsRefusedByTheKeyItself(Key<?> key) throws Exception {
        boolean list = key.printStandard().startsWith("[");
        String value = NONSENSE.getOrDefault(key.name(), list ? "[\"?! nonsense\"]" : "\"?! nonsense\"");
        Path file = Files.writeString(
                folder.resolve("guidepost.toml"), "[" + key.section() + "]\n" + key.leaf() + " = " + value + "\n");
        assertThatThrownBy(() -> Configuration.load(file, Map.of(), List.of()))
                .isInstanceOf(ConfigurationException.class)
                .message()
                .startsWith(file + ":2:1: " + key.name() + ": ")
                .doesNotContain("\n")
                .matches("(?s).*(: |; |such as |is not |is none of).*");
    }

    /** The current folder would be taken for what has no name. */
    @ParameterizedTest
    @CsvSource({"store.folder, ''", "store.folder, ' '", "handle.folder, ''", "alto.folder, ' '"})
    void aFolderThatIsMadeHasAName(String key, String name) {
        assertThatThrownBy(() -> Configuration.load(null, Map.of(), List.of(key + "=\"" + name + "\"")))
                .hasMessage("--set: " + key + ": '" + name + "' cannot be a folder: name one that is there or can be made");
    }

    /** A file may be wrong in what several keys say together, or in a file that it names: both refuse it, with the same sentence. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workers.count=2 workers.cpus=1                                | workers.cpus: names 1 processors for 2 workers
            gnrs.listen=                                                  | gnrs.listen: is empty: name at least one address
            gnrs.listen= gnrs.port=0 packet.ports=memory:a,address=10.0.0.2/24 | gnrs.port: is 0
            gnrs.port=5001 proxidor.port=5001 proxidor.enabled=true       | proxidor.port: UDP port 5001 is that of gnrs.port too
            gnrs.port=5001 handle.udp-port=5001 handle.enabled=true       | handle.udp-port: UDP port 5001 is that of gnrs.port too
            admin.port=5080 alto.http-port=5080 alto.enabled=true         | alto.http-port: TCP port 5080 is that of admin.port too
            handle.enabled=true handle.listen=                            | handle.listen: is empty
            alto.enabled=true alto.listen=                                | alto.listen: is empty
            placement.prefix-file=FILE                                    | placement.prefix-file and placement.binding-file belong together
            placement.prefix-file=FILE placement.binding-file=EMPTY       | file:1
            sites.key-file=EMPTY                                          | sites.key-file: FOLDER/empty has 0 bytes
            sites.file=FILE                                               | file:1
            proximity.files=FILE                                          | unknown kind of file
            proximity.bgp-listen=127.0.0.1:0 proximity.bgp-peers='10.0.0.1 password-file=/nowhere' | password-file /nowhere is not there
            http.tls-certificate=FILE                                     | http.tls-certificate: FOLDER/file is PEM
            http.tls-key=FILE                                             | http.tls-key: needs http.tls-certificate
            alto.enabled=true http.tls-certificate=FILE http.tls-key=FILE | http.tls-certificate: FOLDER/file and FOLDER/file cannot be used
            alto.enabled=true alto.calendars='hopcount 3600 1 2'          | alto.calendars: 'hopcount' is not told
            alto.enabled=true alto.map-files=FILE                         | file: this is not JSON
            handle.enabled=true http.tls-certificate=FILE http.tls-key=FILE | http.tls-certificate: FOLDER/file and FOLDER/file cannot
            handle.enabled=true handle.countries-file=FILE                | file:1
            handle.enabled=true handle.namespace-file=FILE                | handle.namespace-file: cannot be read
            handle.enabled=true handle.other-sites=FILE                   | handle.other-sites: FOLDER/file
            handle.enabled=true handle.root-site=FILE                     | handle.root-site: cannot be read
            handle.enabled=true handle.mirror-site=FILE                   | handle.mirror-identity: is needed with handle.mirror-site
            handle.enabled=true handle.mirror-site=FILE handle.mirror-identity=300:0.NA/1 | handle.mirror-site: cannot be read
            handle.enabled=true handle.mirror-site=FILE handle.replication-primaries=FILE | handle.replication-primaries: a mirror takes no
            admin.token-file=EMPTY                                        | admin.token-file: its first line is empty
            """)
    void bothRefuse(String settings, String sentence) {
        String[] sets = Stream.concat(
                        Stream.of("handle.folder=" + folder.resolve("handle"), "alto.folder=" + folder.resolve("alto")),
                        Stream.of(settings.split(" (?=[a-z]+\\.[a-z-]+=)")))
                .map(each -> each.strip().replace("FILE", folder + "/file").replace("EMPTY", folder + "/empty"))
                .toArray(String[]::new);
        String expected = sentence.replace("FOLDER", folder.toString());
        assertThatThrownBy(() -> Server.check(RunningServer.configuration(folder, sets)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(expected);
        assertThat(folder.resolve("handle")).as("config writes nothing").doesNotExist();
        assertThatThrownBy(() -> RunningServer.start(folder, sets)).hasMessageContaining(expected);
    }

    @Test
    void listsAreTakenAsTomlAndAsPlainText() throws Exception {
        Configuration plain = Configuration.load(null, Map.of("GUIDEPOST_GNRS_LISTEN", "127.0.0.1, ::1"), List.of("workers.cpus="));
        Configuration toml = Configuration.load(
                null,
                Map.of("GUIDEPOST_GNRS_LISTEN", "[\"127.0.0.1\", '::1']"),
                List.of(
                        "workers.cpus=[]",
                        "handle.template-delimiter=\"two words\"",
                        "handle.page-headers='X-One: 1, 2'",
                        "gnrs.advertise=[::1]:5001"));
        assertThat(toml.get(ConfigurationKeys.GNRS_LISTEN)).isEqualTo(plain.get(ConfigurationKeys.GNRS_LISTEN)).hasSize(2);
        assertThat(toml.get(ConfigurationKeys.WORKERS_CPUS)).isEqualTo(plain.get(ConfigurationKeys.WORKERS_CPUS)).isEmpty();
        assertThat(toml.get(ConfigurationKeys.HANDLE_TEMPLATE_DELIMITER)).isEqualTo("two words");
        assertThat(toml.get(ConfigurationKeys.HANDLE_PAGE_HEADERS)).containsExactly("X-One: 1, 2");
        assertThat(toml.print(ConfigurationKeys.GNRS_ADVERTISE)).isEqualTo("\"[::1]:5001\"");
    }

    @Test
    void aMisspeltVariableIsRefusedWithTheNearestOne() throws Exception {
        assertThatThrownBy(() -> Configuration.load(null, Map.of("GUIDEPOST_GNRS_PROT", "5001"), List.of()))
                .hasMessage("environment GUIDEPOST_GNRS_PROT: there is no such variable; did you mean GUIDEPOST_GNRS_PORT?");
        Configuration.load(
                null,
                Map.of(
                        "GUIDEPOST_JAVA_OPTIONS", "-Xmx1g",
                        "GUIDEPOST_PASSPHRASE", "secret",
                        // A service of Kubernetes that is called guidepost leads to these.
                        "GUIDEPOST_SERVICE_HOST", "10.0.0.1",
                        "GUIDEPOST_SERVICE_PORT_GNRS", "5001",
                        "GUIDEPOST_PORT", "udp://10.0.0.1:5001",
                        "GUIDEPOST_PORT_5001_UDP_ADDR", "10.0.0.1"),
                List.of());
    }
}
