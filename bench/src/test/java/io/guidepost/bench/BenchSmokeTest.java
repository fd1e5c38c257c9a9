package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.bench.packet.DpdkScene;
import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.bench.scene.TerminalProgress;
import io.guidepost.server.BuiltServer;
import io.guidepost.server.cli.scaffold.DemoNetwork;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every scene is played in a tiny size in every build, with the real server, so that none of them rots. */
@Execution(ExecutionMode.CONCURRENT)
class BenchSmokeTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = BenchCommand.line();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    /**
     * Most of the time of these tests is the start of some hundred JVMs. So they start the server as the launcher does,
     * with a start-up cache, where the build has come that far, and without the second compiler.
     */
    @BeforeAll
    static void startsAreShort() {
        BuiltServer.folder().ifPresent(home -> System.setProperty("guidepost.server.home", home.toString()));
        System.setProperty("guidepost.bench.options", "-XX:TieredStopAtLevel=1");
        System.setProperty("guidepost.bench.shared", "true");
    }

    /** A class that the cache leaves out is read from its jar and verified at each start, such as one that was compiled for an old Java. */
    @Test
    void theStartUpCacheHasTheCommandLine() throws IOException {
        String home = System.getProperty("guidepost.server.home", "");
        Assumptions.assumeFalse(home.isEmpty(), "the build has not come to the server's jar");
        assertThat(Files.readString(Path.of(home, "train.log"))).contains("Skipping ")
                .doesNotContain("Skipping picocli/", "Skipping io/guidepost/", "Old class");
    }

    /** Not pinned: the tests of a build share their processors with it. */
    private void plays(String scene, String... contestants) throws IOException {
        Path markdown = folder.resolve("results.md");
        List<String> words = new ArrayList<>(List.of(scene.split(" ", -1)));
        words.addAll(List.of("--smoke", "--server-cpu", "-1", "--client-cpu", "-1", "--markdown", markdown.toString()));
        int code = run(words.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString()).contains(contestants).contains("smoke run").doesNotContain(" wrong, ");
        assertThat(Files.readString(markdown))
                .contains("`./guidepost bench " + scene + " --smoke")
                .contains(contestants);
    }

    private static void needsCompiler() {
        Assumptions.assumeTrue(CBaseline.available(), "there is no C compiler 'cc' on the path");
    }

    @Test
    void lookupsAgainstC() throws IOException {
        needsCompiler();
        plays("c", "guidepost", "C responder");
    }

    @Test
    void framesOnDevicesOfDpdk() throws IOException {
        needsCompiler();
        Assumptions.assumeFalse(DpdkScene.flags().isEmpty(), "there is no DPDK to compile with (libdpdk-dev)");
        plays("dpdk", "capture, null, 64 bytes", "tree, null, 64 bytes", "forward, ring");
    }

    @Test
    void fieldsOfFramesWithBoundsAndWithout() throws IOException {
        needsCompiler();
        Assumptions.assumeFalse(DpdkScene.flags().isEmpty(), "there is no DPDK to compile with (libdpdk-dev)");
        plays("dpdk --work view --device null", "view, null, 64 bytes", "CPU, bounded / unchecked");
    }

    @Test
    void framesFromAnotherProcess() throws IOException {
        needsCompiler();
        Assumptions.assumeFalse(DpdkScene.flags().isEmpty(), "there is no DPDK to compile with (libdpdk-dev)");
        plays("dpdk --device memif", "capture, memif, 64 bytes", "tree, memif, 64 bytes", "the sender had to wait in");
    }

    @Test
    void addressesOverDns() throws IOException {
        plays("dns", "guidepost");
    }

    @Test
    void collections() throws IOException {
        plays("collections", "GNRS lookups", "bytes per million packets");
        if (!DpdkScene.flags().isEmpty()) {
            assertThat(out.toString()).contains("frames captured", "firewall, list", "firewall, tree");
        }
    }

    @Test
    void echoesOverAfXdp() throws IOException {
        String missing = NamespacePair.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        plays("xdp", "AF_XDP, framework", "kernel UDP, framework");
    }

    @Test
    void listsRankedAgainstC() throws IOException {
        needsCompiler();
        plays("proxidor", "in C", "363");
    }

    @Test
    void regulatedClientsBesideAFlood() throws IOException {
        plays("proxidor-flood", "fair shares", "first come, first served", "during the flood");
    }

    @Test
    void trains() throws IOException {
        plays("batch", "guidepost, trains", "guidepost, singles");
    }

    @Test
    void fixedRates() throws IOException {
        needsCompiler();
        plays("paced --normal-class", "guidepost at 2,000", "guidepost, normal class at 5,000", "C responder at 5,000");
        assertThat(out.toString()).doesNotContain("wrong responses");
    }

    @Test
    void writes() throws IOException {
        plays("writes", "fsync", "os", "memory");
    }

    @Test
    void manyRecords() throws IOException {
        plays("records", "20,000 records", "Reopened after kill -9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnrs", "handle", "proxidor"})
    void flood(String door) throws IOException {
        plays("flood --door " + door, "before", "during the flood", "right after it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"names", "names --crowd 20"})
    void names(String scene) throws IOException {
        plays(scene, scene.equals("names") ? "durable writes" : "until one change is acknowledged");
    }

    @Test
    void slow() throws IOException {
        plays("slow --way tcp,tls", "TCP, half a message", "TLS, half a greeting");
    }

    @Test
    void sites() throws IOException {
        plays("sites", "relayed lookups", "inserts, os, K = 5");
        plays("sites --members 300", "processor while greeting, %");
        plays("sites --differ", "one differs", "two of one group differ");
    }

    /** A node of Cassandra takes half a minute of a processor to start. */
    @Test
    @Tag("long")
    void fleet() throws IOException {
        plays("fleet", "hits, none renewed", "misses", "merges", "creates, store alone", "merges, two front ends");
        plays("fleet --import", "fleet import / bare driver", "all asked of a front end");
    }

    @Test
    void storm() throws IOException {
        plays("storm", "inserts, quiet", "lookups, a site, every 0.1 ms");
    }

    @Test
    void ground() throws IOException {
        plays("ground", "quiet", "without a reader", "the same from 40 networks");
    }

    @Test
    void workers() throws IOException {
        plays("workers", "1 worker", "2 workers");
    }

    @Test
    void start() throws IOException {
        plays("start", "median ms");
    }

    @Test
    void console() throws IOException {
        plays("console", "% of a processor");
    }

    @Test
    void placement() throws IOException {
        plays("placement", "bound, with the table", "not bound, without");
    }

    @Test
    void smallPieces() {
        assertThat(run("micro", "--smoke", "(Codec|Door).*")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("CodecBenchmark.parseLookup", "DoorBenchmark.answerLookup");
    }

    @Test
    void ranking() {
        assertThat(run("micro", "--smoke", "(PlaceTable|Ranking)Benchmark.*")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("PlaceTableBenchmark.ipv6", "RankingBenchmark.list");
    }

    @Test
    void aRunningServerAgainstTheResponder() throws IOException {
        needsCompiler();
        try (BenchStage stage = new BenchStage(TerminalProgress.none())) {
            ServerUnderTest server = stage.server("server", ProcessPinning.ANYWHERE, Map.of());
            CBaseline responder = stage.responder(ProcessPinning.ANYWHERE, 1000, false);
            String first = "127.0.0.1:" + server.address().getPort();
            String second = "127.0.0.1:" + responder.address().getPort();
            stage.load(server, 1000);
            int code = run(
                    "gnrs", first, "--vs", second, "--records", "1000", "--rounds", "2", "--seconds", "0.1",
                    "--warm-seconds", "0.1", "--rate", "2000", "--zipf", "1", "--json");
            assertThat(code).as(err.toString()).isZero();
            assertThat(out.toString())
                    .contains("\"\": \"" + first + "\"", "\"\": \"" + second + "\"")
                    .doesNotContain(" wrong, ");
        }
    }

    @Test
    void aServerOnIpv6() {
        try (BenchStage stage = new BenchStage(TerminalProgress.none())) {
            ServerUnderTest server = stage.server("server", ProcessPinning.ANYWHERE, Map.of("gnrs.listen", "::1"));
            String address = "[::1]:" + server.address().getPort();
            int code = run(
                    "gnrs", address, "--load", "--records", "500", "--rounds", "1", "--seconds", "0.1",
                    "--warm-seconds", "0.1", "--inserts", "10", "--updates", "10", "--flows", "3");
            assertThat(code).as(err.toString()).isZero();
            assertThat(out.toString()).contains(address).doesNotContain("not right");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gnrs", "c", "batch", "paced", "writes", "records", "workers", "start", "console", "placement", "sites",
                "fleet", "storm", "ground", "collections", "slow", "micro", "handle-c", "gate", "scaffold", "dns", "names"})
    void helpShowsAnExample(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Example: ./guidepost bench " + command);
    }

    @Test
    void mistakesAreToldInOneLine() {
        for (List<String> mistake : List.of(
                List.of("gnrs", "nowhere"),
                List.of("gnrs", "127.0.0.1:0"),
                List.of("placement", "--client-cpu", "-1", "--prefixes", "x"))) {
            err.getBuffer().setLength(0);
            assertThat(run(mistake.toArray(String[]::new))).isEqualTo(1);
            assertThat(err.toString().lines()).hasSize(1).allMatch(line -> line.startsWith("guidepost bench: "));
        }
        assertThat(run("nonsense")).isEqualTo(2);
    }

    private static boolean mayMakeNetworks() throws IOException {
        String line = "mount -t tmpfs none /run && mkdir /run/netns && ip netns add a && ip -n a tuntap add t mode tun";
        Process process = new ProcessBuilder(DemoNetwork.inNamespaces(List.of("sh", "-ec", line)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.onExit().join().exitValue() == 0;
    }

    @Test
    void machinesOfScaffold() throws IOException {
        plays("scaffold bind resolve flows", "bind: durable", "bind: renewed", "resolve: SYNs/s", "flows: bytes of a kept flow");
    }

    @Test
    void scaffoldBetweenNamespaces() throws IOException {
        Assumptions.assumeTrue(mayMakeNetworks(), "no namespaces with TUN devices here");
        plays("scaffold shed kill link gateway", "shed: ", "kill: ", "link: ", "gateway: ");
    }

    @Test
    void trafficOfScaffold() throws IOException {
        Assumptions.assumeTrue(mayMakeNetworks(), "no namespaces with TUN devices here");
        plays("scaffold throughput latency", "324 Mbit/s: lost", "TCP, POST: received", "latency: 18 bytes");
    }

    @Test
    void lookupsOnTheFastPath() throws IOException {
        String missing = NamespacePair.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        plays("fast", "AF_XDP, guidepost", "kernel UDP, guidepost");
    }

    @Test
    void lookupsInTheKernel() throws IOException {
        String missing = NamespacePair.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        plays("kernel", "in the kernel", "kernel UDP", "sent back");
    }

    @Test
    void handlesAgainstC() throws IOException {
        needsCompiler();
        plays("handle-c", "udp", "http-json", "create");
        assertThat(out.toString()).doesNotContain("responses wrong");
    }

    @Test
    void theGatePlaysAScene() throws IOException {
        needsCompiler();
        Path row = Files.writeString(
                folder.resolve("gate.txt"),
                "lookups | c --smoke | guidepost: CPU us/reply | C responder: CPU us/reply | 1000");
        assertThat(run("gate", "--json", "--expectations", row.toString())).isZero();
        assertThat(out.toString()).contains("\"lookups\"", "\"expected\"", "\"margin\"", "\"found\"", "\"verdict\": \"holds");
    }

    /** The rows of the gate name scenes and options that there are; what their figures are called, only a run shows. */
    @Test
    void theGateNamesScenes() throws IOException {
        for (String line : Files.readAllLines(Path.of("gate.txt"))) {
            if (!line.startsWith("#")) {
                BenchCommand.line().parseArgs(line.split(" *\\| *", -1)[1].split(" ", -1));
            }
        }
    }

    @Test
    void lookupsOnADeviceOfDpdk() throws IOException {
        Assumptions.assumeFalse(DpdkScene.flags().isEmpty(), "there is no DPDK to compile with (libdpdk-dev)");
        plays("fast --device memif", "memif, guidepost", "memif, C with DPDK");
    }
}
