package io.guidepost.proximity.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is typed and what is told: each scenario is a file, and {@code TEST_REWRITE=1} writes down what is told now. */
class OracleConsoleTest {
    private static final String PROMPT = "Oracle :>";
    private static final Path SCENARIOS = Path.of("src/test/resources/io/guidepost/proximity/oracle");

    @TempDir
    private Path folder;

    /** A house without files or workers of its own. */
    private final class House implements ConsoleBackend {
        private int delayMillis;

        @Override
        public String reload(Part part) throws IOException, FaultyFile {
            return switch (part) {
                case NETWORKS -> "";
                case ROUTERS -> throw new FaultyFile(List.of("oracle.conf:3: 'x' is not a statement"), 1);
                case ALL -> throw new IOException("no files are configured: name them in proximity.files");
            };
        }

        @Override
        public OracleSettings settings() {
            return new OracleSettings(
                    40, 2, delayMillis, 8899, Optional.empty(), Optional.empty());
        }

        @Override
        public Path dumpFolder(String name) throws IOException {
            if (name.startsWith("/")) {
                throw new IOException("dumps go below the data folder: write a name such as monday");
            }
            return folder.resolve(name);
        }

        @Override
        public List<String> threads() {
            return List.of("worker 0: 12 queries", "worker 1: 7 queries");
        }

        @Override
        public void threadDelay(int millis) throws IOException {
            if (millis > 1000) {
                throw new IOException("the workers wait no longer than a second");
            }
            delayMillis = millis;
        }

        @Override
        public List<String> statistics() {
            return List.of("queries 19");
        }
    }

    static List<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.filter(each -> each.toString().endsWith(".scn")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void tellsWhatTheScenarioSays(Path scenario) throws Exception {
        String expected = Files.readString(scenario, StandardCharsets.UTF_8);
        StringBuilder told = new StringBuilder();
        try (LiveNetwork live = new LiveNetwork()) {
            OracleConsole console = new OracleConsole(live, new House());
            boolean comment = true;
            for (String line : expected.lines().toList()) {
                if (line.startsWith(PROMPT)) {
                    comment = false;
                    String typed = line.substring(PROMPT.length());
                    told.append(line).append('\n').append(answer(console, typed));
                } else if (comment) {
                    told.append(line).append('\n');
                }
            }
        }
        // How many snapshots were made on the way is a matter of time, and places of what is gone are counted until all is
        // numbered anew.
        String text = told.toString()
                .replaceAll("snapshot [0-9]+, [0-9]+ bytes", "snapshot N, B bytes")
                .replaceAll(", rank [0-9]+", ", rank R")
                .replaceAll("[0-9]+ different places", "P different places");
        if (System.getenv("TEST_REWRITE") != null) {
            Files.writeString(scenario, text);
        }
        assertThat(text).isEqualTo(expected);
    }

    /** A line that ends in a tabulator asks how it may go on. */
    private static String answer(OracleConsole console, String typed) {
        if (typed.endsWith("\t")) {
            return console.complete(typed.substring(1, typed.length() - 1)) + "\n";
        }
        OracleConsole.Answer answer = console.execute(typed);
        assertThat(answer.text().startsWith("Error " + answer.error() + ": ")).isEqualTo(answer.error() != 0);
        return answer.text();
    }

    @Test
    void aDumpFromTheConsoleIsTheNetwork() throws Exception {
        try (LiveNetwork live = new LiveNetwork()) {
            OracleConsole console = new OracleConsole(live, new House());
            OperatorNetwork network = RandomOracleNetworks.of(new SplittableRandom(5));
            live.replace(network, RankingFunction.STANDARD);
            assertThat(console.execute("dump monday").text()).isEqualTo("operation successful\n");
            OperatorNetwork again = OracleConfigurationTest.read(folder.resolve("monday/oracle.conf")).network();
            assertThat(NetworkText.of(again)).isEqualTo(NetworkText.of(network));
        }
    }

    @Test
    void longListsAreToldInParts() throws Exception {
        try (LiveNetwork live = new LiveNetwork()) {
            OracleConsole console = new OracleConsole(live, new House());
            Address router = Address.parse("10.0.0.1");
            live.change(network -> {
                for (int i = 0; i < 1000; i++) {
                    network.add(Prefix.ofIpv4(i << 12, 24), PrefixAttachment.external(router, 0, 7, 1));
                }
            });
            String line = "print networks ext 0.0.0.0/1";
            Predicate<String> more = each -> each.startsWith("and ");
            long networks = 0;
            int parts = 0;
            while (!line.isEmpty()) {
                List<String> told = console.execute(line).text().lines().toList();
                networks += told.stream().filter(each -> each.startsWith("[EXTERNAL NETWORK]")).count();
                line = told.stream().filter(more).map(each -> each.substring(each.indexOf(':') + 2)).findFirst().orElse("");
                parts++;
            }
            assertThat(networks).isEqualTo(1000);
            assertThat(parts).isEqualTo(5);
        }
    }

    /** Whatever is typed, something is told, and what is refused changes nothing. */
    @Test
    void anythingMayBeTyped() throws Exception {
        List<String> words = List.of("print", "set", "create", "delete", "reload", "thread", "networks", "src", "router",
                "routes", "path", "link", "nic", "10.0.0.1", "10.0.0.2", "0", "1", "-", "lat", "weight", "2.5", "up", "down",
                "10.1.0.0/16", "snetwork", "enetwork", "x", "-1", "99999999999", "NaN", "after", "stats", "config", "route");
        try (LiveNetwork live = new LiveNetwork()) {
            OracleConsole console = new OracleConsole(live, new House());
            int done = 0;
            for (long seed = 1; seed <= 3_000; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                StringBuilder line = new StringBuilder();
                for (int i = random.nextInt(9); i > 0; i--) {
                    List<String> next = random.nextInt(4) > 0 ? console.complete(line + " ") : List.of();
                    List<String> from = next.isEmpty() ? words : next;
                    line.append(' ').append(from.get(random.nextInt(from.size())));
                }
                long before = live.read(OperatorNetwork::changes);
                String text = line.toString();
                OracleConsole.Answer answer = text.strip().startsWith("dump") ? console.execute("") : console.execute(text);
                assertThat(answer.text()).as("seed " + seed).endsWith("\n");
                if (answer.error() != 0) {
                    assertThat(live.read(OperatorNetwork::changes)).as("seed " + seed + ": " + text).isEqualTo(before);
                } else {
                    done++;
                }
            }
            assertThat(done).isBetween(100, 2_990);
        }
    }

    @Test
    void routersMayBeNamed() throws Exception {
        try (LiveNetwork live = new LiveNetwork()) {
            Address id = Address.parse("10.0.0.1");
            live.change(network -> network.topology(new Topology(
                    new TreeMap<>(Map.of(id, new TopologyRouter(id, true, 2, List.of(), List.of()))),
                    RoutingMode.IMPLICIT,
                    new TreeMap<>(Map.of(id, "Frankfurt am Main")),
                    Map.of())));
            OracleConsole console = new OracleConsole(live, new House());
            assertThat(console.execute("print router \"Frankfurt am Main\"").text())
                    .startsWith("Router 10.0.0.1 Frankfurt am Main UP nics 2");
            assertThat(console.execute("set router \"Frankfurt am Main\" down").error()).isZero();
            assertThat(console.execute("print router").text()).isEqualTo("Router 10.0.0.1 Frankfurt am Main DOWN nics 2\n");
            assertThat(console.execute("print router Berlin").error()).isNotZero();
        }
    }
}
