package io.guidepost.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.NameResolverRegistry;
import io.guidepost.base.Sha256;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameClientSettings;
import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients of four languages do what clients/scenarios.txt says, at one server. */
class ClientsTest {
    private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();
    private static final Path SCENARIOS = CLIENTS.resolve("scenarios.txt");
    private static final String TOUR = "192.0.2.10:8443, [2001:db8::10]:8443, put workers.example";

    private static final String TOKEN = "gp_writer";
    private static final String OTHER_TOKEN = "gp_writer-of-other-names";

    @TempDir
    private static Path folder;

    private static Server server;
    private static FaultyServers faulty;
    private static Map<String, String> environment;

    @BeforeAll
    static void start() throws Exception {
        Path topology = Files.writeString(folder.resolve("topology.json"), """
                {"nodes": [{"id": "10.0.0.1"}, {"id": "10.0.0.2"}], "links": [{"source": "10.0.0.1", "target": "10.0.0.2"}]}
                """);
        Path prefixes = Files.writeString(folder.resolve("prefixes.csv"), """
                127.0.0.0/8,,10.0.0.1
                192.0.2.0/24,,10.0.0.1
                198.51.100.0/24,,10.0.0.2
                """);
        Path tokens = Files.writeString(folder.resolve("tokens"), hash(TOKEN) + "\n" + hash(OTHER_TOKEN) + " other.\n");
        Configuration configuration = Configuration.load(null, Map.of(), List.of(
                "gnrs.listen=127.0.0.1", "gnrs.port=0", "admin.port=-1", "store.folder=" + folder.resolve("store"),
                "names.enabled=true", "names.listen=127.0.0.1", "names.http-port=0", "names.folder=" + folder.resolve("names"),
                "names.writers=", "names.token-file=" + tokens, "proximity.files=" + topology + "," + prefixes,
                "alto.enabled=true", "alto.listen=127.0.0.1", "alto.http-port=0", "alto.folder=" + folder.resolve("alto")));
        server = Server.start(configuration, () -> configuration);
        InetSocketAddress names = server.namesAddresses().getFirst();
        faulty = new FaultyServers(names, TOKEN);
        environment = new TreeMap<>(faulty.environment());
        environment.put("HTTP", "http://127.0.0.1:" + names.getPort());
        environment.put("GNRS", "127.0.0.1:" + server.gnrsAddresses().getFirst().getPort());
        environment.put("ALTO", "http://127.0.0.1:" + server.altoAddresses().getFirst().getPort() + "/directory");
        environment.put("TOKEN", TOKEN);
        environment.put("OTHERTOKEN", OTHER_TOKEN);
    }

    @AfterAll
    static void stop() throws Exception {
        faulty.close();
        server.close();
    }

    private static String hash(String token) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertAllPlayed(List<String> told, int times) throws IOException {
        try (Stream<String> lines = Files.lines(SCENARIOS)) {
            long scenarios = times * lines.filter(each -> each.startsWith("== ")).count();
            assertThat(told).allMatch(each -> each.startsWith("ok ")).hasSize((int) scenarios + 1).endsWith("ok tour: " + TOUR);
        }
    }

    /** Runs a program, and returns the lines that it wrote. */
    private static List<String> run(Path in, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        process.destroyForcibly();
        List<String> told = new ArrayList<>(Files.readAllLines(out));
        if (!ended || process.exitValue() != 0) {
            told.add(String.join(" ", command) + (ended ? " ended with " + process.exitValue() : " did not end"));
        }
        return told;
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    @Test
    void java() throws Exception {
        List<String> told = ClientScenarios.run(SCENARIOS, environment);
        String http = ClientScenarios.variable(environment, "HTTP");
        String gnrs = ClientScenarios.variable(environment, "GNRS");
        told.add("ok tour: " + String.join(", ", NamesTour.run(http, gnrs, TOKEN)));
        assertAllPlayed(told, 1);
    }

    @Test
    void python() throws Exception {
        assumeTrue(isOnPath("python3"), "there is no python3");
        assertAllPlayed(run(CLIENTS.resolve("python"), "python3", "-B", "-W", "error", "tests/scenarios.py"), 2);
    }

    @Test
    void aChannelOfGrpcFollowsAName() throws Exception {
        NameClientSettings settings = NameClientSettings.of(ClientScenarios.variable(environment, "HTTP")).withToken(TOKEN);
        try (NameClient client = NameClient.open(settings)) {
            NameResolvers resolvers = new NameResolvers(client);
            NameResolverRegistry.getDefaultRegistry().register(resolvers);
            try {
                MovingEcho.move(client);
            } finally {
                NameResolverRegistry.getDefaultRegistry().deregister(resolvers);
            }
        }
    }

    /** Go compiles its library first, half a minute of processor time where its cache is cold: that is for the night. */
    @Test
    @Tag("long")
    void go() throws Exception {
        assumeTrue(isOnPath("go"), "there is no go");
        assertAllPlayed(run(CLIENTS.resolve("go"), "go", "run", "./scenarios", SCENARIOS.toString()), 1);
        Path grpc = CLIENTS.resolve("go/examples/grpc");
        assumeTrue(run(grpc, "go", "mod", "download").isEmpty(), "the modules of gRPC cannot be fetched");
        assertThat(run(grpc, "go", "test", "-count=1", "./...")).isNotEmpty().allMatch(each -> each.startsWith("ok"));
        Path histories = Path.of("..", "tools", "porcupine");
        assertThat(run(histories, "go", "test", "-count=1", "./...")).isNotEmpty().allMatch(each -> each.startsWith("ok"));
    }

    @Test
    void javaScript() throws Exception {
        assumeTrue(isOnPath("node") && run(CLIENTS, "node", "--version").getFirst().matches("v[2-9]\\d.*"), "there is no Node 20");
        Path compiler = CLIENTS.resolve("js/node_modules/typescript/bin/tsc");
        assumeTrue(Files.exists(compiler), "there is no compiler of TypeScript: npm ci in clients/js brings it");
        assertThat(run(CLIENTS.resolve("js"), "node", compiler.toString(), "--noCheck")).isEmpty();
        assertAllPlayed(run(CLIENTS.resolve("js"), "node", "tests/scenarios.mjs", SCENARIOS.toString()), 1);
    }
}
