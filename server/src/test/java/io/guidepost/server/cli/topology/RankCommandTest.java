package io.guidepost.server.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.TestNetworks;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code guidepost rank} and {@code guidepost ping} against a whole server with a test network. */
class RankCommandTest {
    /** Somebody at the middle router, a network at another, and somebody behind an exit. */
    private static final String ASKING = "130.149.221.7";

    private static final String NEAR = "130.149.221.9";
    private static final String FAR = "130.149.1.9";
    private static final String ELSEWHERE = "8.8.8.8";

    @TempDir
    private Path folder;

    @Test
    void ranksExplainsAndPings() throws Exception {
        OracleDump.write(TestNetworks.small(), OracleSettings.DEFAULTS, folder.resolve("network"));
        try (RunningServer server = RunningServer.start(
                folder,
                "proximity.files=" + folder.resolve("network").resolve(OracleDump.MAIN_FILE),
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0")) {
            String at = AddressText.of(server.server().proxidorAddresses().getFirst());
            String admin = AddressText.of(server.server().adminAddress().orElseThrow());
            CommandRun ranked = CommandRun.of("rank", ELSEWHERE, FAR, NEAR, "--for", ASKING, "-S", at, "--timeout", "10s");
            assertThat(ranked).isEqualTo(new CommandRun(0, NEAR + "\n" + FAR + "\n" + ELSEWHERE + "\n", ""));

            Path file = Files.writeString(folder.resolve("list"), "# mixed\n" + FAR + "  2001:db8::1\n130.149.221.0/25\n");
            CommandRun mixed = CommandRun.of("rank", "-f", file.toString(), "--json", "--for", ASKING, "-S", at, "--timeout", "10s");
            assertThat(mixed.out().replaceAll("\\s", ""))
                    .contains("\"ranked\":[\"130.149.221.0/25\",\"" + FAR + "\"]", "\"unknown\":[\"2001:db8::1\"]");

            CommandRun refused = CommandRun.of("rank", FAR, NEAR, "--for", "2001:db8::7", "-S", at, "--timeout", "10s");
            assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
            assertThat(refused.err()).contains("does not know where the source is attached");

            CommandRun explained = CommandRun.of("rank", ELSEWHERE, NEAR, "--explain", "--for", ASKING, "-S", at, "-a", admin);
            assertThat(explained.err()).isEmpty();
            assertThat(explained.out()).contains("rank", "130.149.221.0/24", "path").contains(NEAR, ELSEWHERE);

            CommandRun pinged = CommandRun.of("ping", "-c", "2", "--size", "10", "--delay", "1ms", "--for", ASKING,
                    "-S", at, "--timeout", "10s");
            assertThat(pinged.code()).isZero();
            assertThat(pinged.out()).contains("seq=1 known=10 time=", "seq=2", "2 questions, 2 answers, 0.000 % lost");
        }
    }

    @Test
    void saysThatTheSourceWasIgnored() throws Exception {
        OracleDump.write(TestNetworks.small(), OracleSettings.DEFAULTS, folder.resolve("network"));
        Path prefixes = Files.writeString(folder.resolve("prefixes"), "127.0.0.0/8,0,10.1.2.1\n9.9.9.0/24,64500,10.1.3.1\n");
        try (RunningServer server = RunningServer.start(
                folder,
                "proximity.files=" + folder.resolve("network").resolve(OracleDump.MAIN_FILE) + "," + prefixes,
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0",
                "proxidor.trusted=")) {
            String at = AddressText.of(server.server().proxidorAddresses().getFirst());
            CommandRun ranked = CommandRun.of("rank", ELSEWHERE, FAR, "--for", ASKING, "-S", at, "--timeout", "10s");
            assertThat(ranked.code()).isZero();
            assertThat(ranked.err()).contains("ranked for this machine, not for " + ASKING, "proxidor.trusted");
            CommandRun json = CommandRun.of("rank", ELSEWHERE, FAR, "--json", "--for", ASKING, "-S", at, "--timeout", "10s");
            assertThat(json.out()).contains("\"sourceIgnored\": true");
            String admin = AddressText.of(server.server().adminAddress().orElseThrow());
            CommandRun explained = CommandRun.of("rank", "9.9.9.9", "--explain", "--json", "--for", ASKING, "-S", at, "-a", admin);
            assertThat(explained.out()).as("the standard function does not look at AS numbers").contains("\"as-number\": 64500");
        }
    }

    @Test
    void explainsByTheNamesOfRouters() throws Exception {
        Path graph = Files.writeString(folder.resolve("graph.json"), """
                {"nodes": [{"id": "Berlin"}, {"id": "Frankfurt am Main"}], "links": [{"source": "Berlin", "target": "Frankfurt am Main"}]}
                """);
        Path prefixes = Files.writeString(folder.resolve("list"), "10.20.0.0/16,1,Berlin\n10.30.0.0/16,2,\"Frankfurt am Main\"\n");
        try (RunningServer server = RunningServer.start(folder, "proximity.files=" + graph + "," + prefixes)) {
            String admin = AddressText.of(server.server().adminAddress().orElseThrow());
            CommandRun explained = CommandRun.of("rank", "10.30.0.1", "--explain", "--for", "10.20.0.1", "-a", admin);
            assertThat(explained.out()).contains("Berlin > Frankfurt am Main");
            assertThat(CommandRun.of("oracle", "-a", admin, "-e", "print router Berlin").out()).startsWith("Router 198.18.0.1 Berlin UP");
        }
    }

    @Test
    void saysWhatIsWrongWithAList() throws Exception {
        Path file = Files.writeString(folder.resolve("list"), "10.0.0.1\n10.0.0.1/40 nonsense # 300.1.1.1\n");
        CommandRun refused = CommandRun.of("rank", "-f", file.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains(file + ":2: '40' is not a prefix length", file + ":2: 'nonsense' is not an address");
        assertThat(CommandRun.of("rank", "nonsense").code()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("ping", "--size", "1").err()).contains("--size is 2 to 363");
    }
}
