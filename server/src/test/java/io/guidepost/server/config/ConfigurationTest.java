package io.guidepost.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Prefix;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.worker.RealTimePolicy;
import io.guidepost.server.gnrs.GnrsService;
import io.guidepost.server.gnrs.PlacementFiles;
import io.guidepost.server.service.WorkerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("guidepost.toml"), text);
    }

    private static Configuration load(Path file, String... sets) throws ConfigurationException {
        return Configuration.load(file, Map.of(), List.of(sets));
    }

    @Test
    void everyDefaultIsWithinItsOwnRangeAndReadsBackAsItIsPrinted() throws Exception {
        Configuration standard = Configuration.load(null, Map.of(), List.of());
        String uncommented = ConfigurationDocument.toml(standard).replaceAll("(?m)^#(?! )", "");
        Configuration read = load(file(uncommented));
        for (Key<?> key : ConfigurationKeys.ALL) {
            assertThat(read.origin(key)).as(key.name()).contains("guidepost.toml:");
            if (!(standard.get(key) instanceof Path)) {
                assertThat(read.get(key)).as(key.name()).isEqualTo(standard.get(key));
            }
        }
    }

    @Test
    void namesAndVariablesAreUnique() {
        Set<String> seen = new HashSet<>();
        for (Key<?> key : ConfigurationKeys.ALL) {
            assertThat(key.name()).matches("[a-z]+\\.[a-z][a-z0-9-]*");
            assertThat(seen.add(key.name())).as(key.name()).isTrue();
            assertThat(seen.add(key.variable())).as(key.variable()).isTrue();
            assertThat(key.sentence()).as(key.name()).endsWith(".");
        }
    }

    @Test
    void laterSourcesWin() throws Exception {
        Path file = file("[gnrs]\nport = 1\nbindings-max = 3\n[workers]\ncount = 2\n");
        Map<String, String> environment = Map.of("GUIDEPOST_WORKERS_COUNT", "4", "GUIDEPOST_GNRS_BINDINGS_MAX", "5");
        Configuration read = Configuration.load(file, environment, List.of("gnrs.bindings-max=6"));
        assertThat(read.get(ConfigurationKeys.GNRS_PORT)).isEqualTo(1);
        assertThat(read.get(ConfigurationKeys.WORKERS_COUNT)).isEqualTo(4);
        assertThat(read.get(ConfigurationKeys.GNRS_BINDINGS_MAX)).isEqualTo(6);
        assertThat(read.origin(ConfigurationKeys.GNRS_PORT)).isEqualTo(file + ":2:1");
        assertThat(read.origin(ConfigurationKeys.WORKERS_COUNT)).isEqualTo("environment GUIDEPOST_WORKERS_COUNT");
        assertThat(read.origin(ConfigurationKeys.GNRS_BINDINGS_MAX)).isEqualTo("--set");
        assertThat(read.origin(ConfigurationKeys.ADMIN_PORT)).isEqualTo("default");
    }

    @Test
    void kindsOfValuesAreRead() throws Exception {
        Configuration read = load(
                file("""
                        [gnrs]
                        listen = ["127.0.0.1", "::1"]
                        [workers]
                        cpus = [1, -1]
                        real-time = true
                        [server]
                        back-end = "channel"
                        [store]
                        memory = "64 MiB"
                        folder = "records"
                        """),
                "workers.count=2",
                "gnrs.trusted=10.0.0.0/8, 2001:db8::/32",
                "handle.permit=recursion, listing",
                "gnrs.answer-bytes-max=2048");
        assertThat(read.get(ConfigurationKeys.GNRS_LISTEN))
                .containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
        assertThat(read.get(ConfigurationKeys.WORKERS_CPUS)).containsExactly(1L, -1L);
        assertThat(read.get(ConfigurationKeys.SERVER_BACK_END)).isEqualTo(UdpBackEnd.CHANNEL);
        assertThat(read.get(ConfigurationKeys.STORE_MEMORY)).isEqualTo(64L << 20);
        assertThat(read.get(ConfigurationKeys.STORE_FOLDER)).isEqualTo(folder.resolve("records"));
        assertThat(read.get(ConfigurationKeys.WORKERS_REAL_TIME)).isEqualTo(RealTimePolicy.TRUE);
        assertThat(read.get(ConfigurationKeys.GNRS_TRUSTED)).containsExactly(Prefix.parse("10.0.0.0/8"), Prefix.parse("2001:db8::/32"));
        assertThat(read.get(ConfigurationKeys.HANDLE_PERMIT)).containsExactly(HandlePermit.RECURSION, HandlePermit.LISTING);
        assertThat(read.get(ConfigurationKeys.GNRS_ANSWER_BYTES_MAX)).isEqualTo(2048);
    }

    @Test
    void everyFaultIsToldWithItsPlaceAndARemedy() throws Exception {
        Path file = file("""
                [gnrs]
                prot = 5001
                port = 65536
                [workers]
                count = "two"
                cpus = [1, "x"]
                [server]
                back-end = "carrier-pigeon"
                [stoer]
                folder = "x"
                [store]
                memory = "4 KiB"
                """);
        assertThatThrownBy(() -> load(file, "gnrs.port", "admin.prot=1", "admin.port=http"))
                .isInstanceOf(ConfigurationException.class)
                .message()
                .satisfies(text -> assertThat(text.lines())
                        .contains(
                                file + ":2:1: there is no key 'gnrs.prot'; did you mean 'gnrs.port'?",
                                file + ":3:1: gnrs.port: 65536 is not a whole number: 0 to 65535",
                                file + ":5:1: workers.count: two is not a whole number: 0 to 256",
                                file + ":8:1: server.back-end: \"carrier-pigeon\" is none of: best, kernel, channel",
                                file + ":6:1: workers.cpus: x is not a whole number: -1 to 1023",
                                file + ":10:1: there is no key 'stoer.folder'; did you mean 'store.folder'?",
                                file + ":12:1: store.memory: 4 KiB is not a number of bytes: 32 MiB to 1 TiB,"
                                        + " such as \"64 MiB\"",
                                "--set gnrs.port: write --set key=value, such as --set gnrs.port=5001",
                                "--set: there is no key 'admin.prot'; did you mean 'admin.port'?",
                                "--set: admin.port: http is not a whole number: -1 to 65535"));
    }

    @Test
    void aFileThatIsNotTomlIsRefusedWithItsPlace() throws Exception {
        Path file = file("[gnrs]\nport = = 5\n");
        assertThatThrownBy(() -> load(file)).message().startsWith(file + ":2:8: ");
    }

    @Test
    void aFileThatIsNotThereIsToldAsSuch() {
        Path missing = folder.resolve("missing.toml");
        assertThatThrownBy(() -> load(missing)).message().startsWith(missing + ": cannot be read");
    }

    /** Ranges stand in the table of keys and in the rooms that are set by them: this holds them together. */
    @Test
    void everyRoomTakesWhatItsKeysAllow() throws Exception {
        for (Key<?> key : ConfigurationKeys.ALL) {
            Matcher range = Pattern.compile("^(-?[0-9]+(?: [KMGT]iB)?) to ([0-9]+(?: [KMGT]iB)?)").matcher(key.kind().range());
            if (range.find() && !key.name().equals("workers.cpus")) {
                for (String bound : List.of(range.group(1), range.group(2))) {
                    Configuration read = load(file(""), key.name() + "=" + bound);
                    assertThatCode(() -> {
                                StoreConfiguration.of(read);
                                GnrsService.settings(read);
                                WorkerOptions.of(read);
                                PlacementFiles.settings(read, List.of());
                            })
                            .as(key.name() + "=" + bound)
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void theDocumentationIsWhatTheTableSays() throws Exception {
        assertThat(Path.of("..", "docs", "configuration.md"))
                .as("write it anew with: ./guidepost config --markdown > docs/configuration.md")
                .hasContent(ConfigurationDocument.markdown());
    }
}
