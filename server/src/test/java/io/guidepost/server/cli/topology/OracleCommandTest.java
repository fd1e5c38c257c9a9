package io.guidepost.server.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console from afar, and files of networks without a server. */
class OracleCommandTest {
    @TempDir
    private Path folder;

    @Test
    void linesAreCarriedOutByTheServerUntilOneIsRefused() throws Exception {
        try (RunningServer server = RunningServer.start(folder.resolve("data"))) {
            String admin = AddressText.of(server.server().adminAddress().orElseThrow());
            CommandRun done = CommandRun.of(
                    "oracle", "--admin", admin, "-e", "create router 10.0.0.1 2", "-e",
                    "create snetwork 10.1.0.0/16 10.0.0.1 1", "-e", "print networks SRC");
            assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.DONE);
            assertThat(done.out()).isEqualTo("""
                    operation successful
                    operation successful
                    [SOURCE NETWORK] 10.1.0.0/16
                        Router router 10.0.0.1 nic 1
                    """);
            CommandRun refused = CommandRun.of("oracle", "--admin", admin, "-e", "create router 10.0.0.1 2", "-e", "print router");
            assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
            assertThat(refused.out())
                    .isEqualTo("Error -121: router exists already: 10.0.0.1 is there: see print router 10.0.0.1\n");
        }
        CommandRun nobody = CommandRun.of("oracle", "--admin", "127.0.0.1:1", "-e", "print stats");
        assertThat(nobody.code()).isEqualTo(ExitCode.FAILED);
        assertThat(nobody.err()).startsWith("guidepost: no server answers at the admin port 127.0.0.1:1");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void filesAreShownAndConvertedWithoutAServer() throws Exception {
        Path graph = write("g.graph", """
                NODES 3
                label x y
                Berlin 0 0
                b 0 0
                c 0 0
                EDGES 2
                label src dest weight bw delay
                l 0 1 5 10000000 3
                m 1 0 5 10000000 3
                """);
        Path table = write("table", "10.0.0.0/8 65001\n2001:db8::/32 65002\n");
        CommandRun shown = CommandRun.of("topology", "show", graph.toString(), table.toString(), "--exit", "Berlin");
        assertThat(shown.code()).as(shown.err()).isEqualTo(ExitCode.DONE);
        assertThat(shown.out())
                .contains("graph of Repetita", "list of prefixes")
                .containsPattern("together +3 +2 +2 ")
                .contains("paths      by weights\napart      1 routers that no link leads to from the first\n")
                .containsPattern("memory     [0-9.]+ MiB kept, [0-9.]+ MiB look-up");
        CommandRun json = CommandRun.of("topology", "show", "--json", graph.toString(), table.toString());
        Map<String, Object> told = json.json();
        assertThat(told).containsEntry("routers", 3L).containsEntry("links", 2L).containsEntry("prefixes", 2L);

        Path made = folder.resolve("made");
        CommandRun converted = CommandRun.of(
                "topology", "convert", graph.toString(), table.toString(), "--exit", "Berlin", "--to", "oracle",
                made.toString());
        assertThat(converted.code()).as(converted.err()).isEqualTo(ExitCode.DONE);
        CommandRun again = CommandRun.of("topology", "show", made.resolve("oracle.conf").toString());
        assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
        assertThat(again.out()).contains("configuration of the Oracle").containsPattern("together +3 +2 +2 ");
    }

    @Test
    void faultyFilesAreToldByLine() throws Exception {
        Path table = write("table", "10.0.0.0/8 65001\n10.0.0.0/99 1\n");
        CommandRun refused = CommandRun.of("topology", "show", table.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .contains("guidepost: " + table + ":2: '99' is not a prefix length from 0 to 32")
                .doesNotContain("Exception");
        assertThat(CommandRun.of("topology", "convert", table.toString(), "--to", "cisco", "x").code()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("topology").code()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("topology", "show", "nowhere").err()).contains("nowhere: there is no such file or folder");
    }
}
