package io.guidepost.server.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.Main;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandsTest {
    @TempDir
    private Path folder;

    private static String gnrs(RunningServer server) {
        return Server.text(server.address());
    }

    private static String admin(RunningServer server) {
        return Server.text(server.server().adminAddress().orElseThrow());
    }

    @Test
    void putGetAndRm() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            String at = gnrs(server);
            assertThat(CommandRun.of("put", "printer", "10.1.2.3:4444", "[2001:db8::1]:4444", "--ttl", "60s", "-S", at).code())
                    .isZero();
            CommandRun got = CommandRun.of("get", "printer", "-S", at);
            assertThat(got.code()).isZero();
            assertThat(got.out()).isEqualTo("""
                    10.1.2.3:4444  cache for 60000 ms
                    [2001:db8:0:0:0:0:0:1]:4444  cache for 60000 ms
                    """);
            assertThat(CommandRun.of("get", "printer", "--json", "-S", at).out())
                    .contains("\"place\": \"10.1.2.3:4444\"", "\"ttlMillis\": 60000", "\"total\": 2");
            assertThat(CommandRun.of("put", "printer", "guid:other", "--replace", "--json", "-S", at).out())
                    .contains("\"replaced\": true", "\"acknowledged\": true", "\"guid:6f74686572");
            assertThat(CommandRun.of("get", "printer", "-S", at).out()).startsWith("guid:6f74686572");
            assertThat(CommandRun.of("rm", "printer", "--json", "-S", at).out()).contains("\"acknowledged\": true");
            CommandRun gone = CommandRun.of("get", "printer", "-S", at);
            assertThat(gone.code()).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(gone.err()).isEqualTo("guidepost: nothing is bound to printer\n");
            String printed = "guid:" + Guid.ofAscii("other");
            assertThat(CommandRun.of("put", printed, "10.0.0.9:1", "-S", at).code()).isZero();
            assertThat(CommandRun.of("put", "printer", printed, "-S", at).code()).isZero();
            assertThat(CommandRun.of("get", printed, "-S", at).out()).isEqualTo("10.0.0.9:1\n");
            assertThat(CommandRun.of("get", "printer", "-S", at).out()).isEqualTo("10.0.0.9:1\n");
            assertThat(CommandRun.of("get", "printer", "--no-recursive", "-S", at).out()).isEqualTo(printed + "\n");
        }
    }

    @Test
    void topReloadAndBackupAskTheAdminPort() throws Exception {
        Path backup = folder.resolve("backups/daily");
        try (RunningServer server = RunningServer.start(folder)) {
            assertThat(CommandRun.of("put", "name", "10.0.0.1:1", "-S", gnrs(server)).code()).isZero();
            CommandRun top = CommandRun.of("top", "--once", "-i", "0.1", "-a", admin(server));
            assertThat(top.out()).contains("worker", "gnrs_requests{type=\"insert\"}", "writable");
            assertThat(CommandRun.of("top", "--once", "--json", "-i", "0.1", "-a", admin(server)).out())
                    .contains("gnrs_requests{type=\\\"insert\\\"}\": 1");
            assertThat(CommandRun.of("reload", "-a", admin(server)).out()).contains("\"done\": true");
            assertThat(CommandRun.of("backup", "daily", "-a", admin(server)).code()).isZero();
            CommandRun again = CommandRun.of("backup", "daily", "-a", admin(server));
            assertThat(again.code()).isEqualTo(ExitCode.FAILED);
            assertThat(again.err()).contains(backup.toString());
        }
        assertThat(CommandRun.of("restore", backup.toString(), folder.resolve("restored").toString()).code()).isZero();
        try (RunningServer server = RunningServer.start(folder, "store.folder=" + folder.resolve("restored"))) {
            assertThat(CommandRun.of("get", "name", "-S", gnrs(server)).out()).isEqualTo("10.0.0.1:1\n");
        }
        CommandRun nobody = CommandRun.of("reload", "-a", "127.0.0.1:1");
        assertThat(nobody.code()).isEqualTo(ExitCode.FAILED);
        assertThat(nobody.err()).contains("no server answers at the admin port 127.0.0.1:1").hasLineCount(1);
    }

    @Test
    void everyCommandHasAnExampleInItsHelp() {
        CommandLine all = Main.commandLine();
        assertThat(CommandRun.of("--help").out()).contains(all.getSubcommands().keySet().stream()
                .filter(each -> !each.equals("train"))
                .toList());
        all.getSubcommands().keySet().stream()
                .filter(each -> !each.equals("train"))
                .forEach(each -> assertThat(CommandRun.of(each, "--help").out()).as(each).contains("Example:  guidepost " + each));
    }

    @Test
    void whatIsWrongWithACommandIsToldInALineOrTwo() {
        for (List<String> each : List.of(
                List.of("gett"),
                List.of("get"),
                List.of("get", "a", "b"),
                List.of("get", "a-name-of-more-than-twenty-characters"),
                List.of("put", "name", "nowhere"),
                List.of("put", "name", "10.0.0.1:1", "--ttl", "soon"),
                List.of("top", "--interval", "0"),
                List.of("prove", "--kills", "0"),
                List.of("serve", "--set", "gnrs.prot=1"))) {
            CommandRun ran = CommandRun.of(each.toArray(String[]::new));
            assertThat(ran.code()).as("%s", each).isEqualTo(ExitCode.USAGE);
            assertThat(ran.err()).as("%s", each).startsWith("guidepost: ").doesNotContain("\tat ");
            assertThat(ran.err().lines().count()).as("%s: %s", each, ran.err()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void theConfigurationIsPrintedAsAFileThatReadsBack() throws Exception {
        for (String[] command : new String[][] {{"config"}, {"config", "--all"}}) {
            String[] set = Stream.concat(
                            Stream.of(command),
                            Stream.of(
                                    "-s", "gnrs.port=7",
                                    "-s", "handle.template-delimiter=\"it's \\\"ours\\\"\"",
                                    "-s", "workers.cpus=[]"))
                    .toArray(String[]::new);
            String printed = CommandRun.of(set).out();
            Path file = Files.writeString(folder.resolve("a.toml"), printed);
            assertThat(CommandRun.of("config", "--config", file.toString(), "--json").out())
                    .contains("a.toml:", "\"value\": 7", "it's \\\"ours\\\"");
            // What is commented out is as good.
            Path whole = Files.writeString(folder.resolve("b.toml"), printed.replaceAll("(?m)^#(?! )", ""));
            CommandRun read = CommandRun.of("config", "--config", whole.toString());
            assertThat(read.code()).as(read.err()).isZero();
        }
        assertThat(CommandRun.of("config").out().lines()).as("two screens").hasSizeLessThanOrEqualTo(50);
    }

    @Test
    void theDoctorSaysWhereEachDoorIsServed() throws Exception {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            CommandRun run = CommandRun.of(
                    "doctor", "-s", "gnrs.listen=127.0.0.1", "-s", "gnrs.port=" + taken.getLocalPort(), "-s", "proxidor.enabled=true",
                    "-s", "proxidor.listen=127.0.0.1", "-s", "packet.ports=memory:a,address=10.0.0.2/24;xdp:nowhere0");
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out().lines().map(each -> each.replaceAll(" +", " ")))
                    .anyMatch(each -> each.startsWith("GNRS at 127.0.0.1:" + taken.getLocalPort() + " BAD "))
                    .anyMatch(each -> each.startsWith("GNRS on memory:a,address=10.0.0.2/24 OK at 10.0.0.2:" + taken.getLocalPort()))
                    .anyMatch(each -> each.startsWith("GNRS on xdp:nowhere0 BAD xdp:nowhere0: there is no network interface nowhere0"))
                    .anyMatch(each -> each.startsWith("Handle over UDP OK not served: handle.enabled is false"))
                    .anyMatch(each -> each.startsWith("Proxidor at 127.0.0.1:8899 "))
                    .anyMatch(each -> each.startsWith("Proxidor on memory:a,address=10.0.0.2/24 OK at 10.0.0.2:8899"));
        }
    }
}
