package io.guidepost.server.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.names.Guid;
import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.Main;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CommandsTest {
    @TempDir
    private Path folder;

    private static String gnrs(RunningServer server) {
        return AddressText.of(server.address());
    }

    private static String admin(RunningServer server) {
        return AddressText.of(server.server().adminAddress().orElseThrow());
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
                    [2001:db8::1]:4444  cache for 60000 ms
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
                    // More than one if the client sent it again.
                    .containsPattern("gnrs_requests\\{type=\\\\\"insert\\\\\"}\": [1-9]");
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
                List.of("where", "a", "b"),
                List.of("get", "guid:a-name-of-more-than-twenty-characters"),
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
                    .anyMatch(each -> each.startsWith("Handle OK not served: handle.enabled is false"))
                    .anyMatch(each -> each.startsWith("Proxidor at 127.0.0.1:8899 "))
                    .anyMatch(each -> each.startsWith("Proxidor on memory:a,address=10.0.0.2/24 OK at 10.0.0.2:8899"));
        }
    }

    @Test
    void theDoctorTakesTheRunningServersPortsForItsOwn() throws Exception {
        List<String> first = List.of(
                "handle.enabled=true", "handle.folder=" + folder.resolve("handle"), "handle.listen=127.0.0.1", "handle.udp-port=0",
                "handle.tcp-port=0", "handle.http-port=0", "alto.enabled=true", "alto.listen=127.0.0.1", "alto.http-port=0",
                "alto.folder=" + folder.resolve("alto"), "proximity.bgp-listen=127.0.0.1:0");
        try (RunningServer running = RunningServer.start(folder, first)) {
            Server server = running.server();
            List<String> ports = List.of(
                    "gnrs.port=" + running.address().getPort(),
                    "handle.udp-port=" + server.handleUdpAddresses().getFirst().getPort(),
                    "handle.tcp-port=" + server.handleTcpAddresses().getFirst().getPort(),
                    "handle.http-port=" + server.handleHttpAddresses().getFirst().getPort(),
                    "alto.http-port=" + server.altoAddresses().getFirst().getPort(),
                    "proximity.bgp-listen=127.0.0.1:" + server.bgpAddress().orElseThrow().getPort());
            String admin = "admin.port=" + server.adminAddress().orElseThrow().getPort();
            List<String> command = new ArrayList<>(List.of("doctor", "-s", "gnrs.listen=127.0.0.1", "-s", admin));
            Stream.concat(first.stream(), ports.stream()).forEach(each -> command.addAll(List.of("-s", each)));
            CommandRun run = CommandRun.of(command.toArray(String[]::new));
            assertThat(run.code()).as(run.out()).isZero();
            assertThat(run.out()).containsPattern("admin port at 127.0.0.1:\\d+ +OK +the running Guidepost, process "
                    + ProcessHandle.current().pid());
            assertThat(run.out().lines().filter(each -> each.contains("the running Guidepost"))).hasSize(7);

            command.addAll(List.of("-s", "admin.port=-1"));
            CommandRun others = CommandRun.of(command.toArray(String[]::new));
            assertThat(others.code()).isEqualTo(1);
            assertThat(others.out().lines().filter(each -> each.contains(" BAD "))).as(others.out()).hasSize(6);
        }
    }

    @Test
    void theDoctorSaysThatTheAdminPortIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            CommandRun run = CommandRun.of("doctor", "-s", "admin.port=" + silent.getLocalPort());
            assertThat(run.out()).containsPattern("admin port at 127.0.0.1:" + silent.getLocalPort()
                    + " +BAD +.*, by what does not answer as a Guidepost does");
        }
    }

    @Test
    @Timeout(20)
    void theDoctorDoesNotWaitForASilentSocket() throws Exception {
        Path file = folder.resolve("silent.sock");
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(file));
            CommandRun run = CommandRun.of("doctor", "-s", "admin.socket=" + file, "-s", "admin.port=0");
            assertThat(run.out()).contains("native sockets");
        }
    }

    @Test
    void theDoctorSeesAMissingRightAndTooLargeAnIndex() throws Exception {
        boolean allowed = new ProcessBuilder("chrt", "--fifo", "2", "true").start().waitFor() == 0;
        assertThat(CommandRun.of("doctor", "-s", "workers.real-time=true", "-s", "store.memory=1 TiB").out().lines())
                .anyMatch(each -> each.matches("workers.real-time +" + (allowed ? "OK +allowed.*" : "NOTE +not allowed.*CAP_SYS_NICE.*")))
                .anyMatch(each -> each.matches("memory +NOTE +store.memory is 1048576 MiB .*set store.memory to .*"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            rank 999.1.1.1          | '999.1.1.1' is not an address: write one such as 10.1.0.1 or 2001:db8::1
            rank 10.0.0.1 10.0.0.0/99 | '10.0.0.0/99': '99' is not a prefix length from 0 to 32
            put name 10.0.0.1:80 10.0.0.2:x | '10.0.0.2:x': 'x' is not a port
            ping 127.0.0.1          | '127.0.0.1' belongs to nothing: guidepost ping takes options alone, such as --server HOST[:PORT]
            topology /x             | '/x' is no command of guidepost topology: write one of
            where name other        | 'other' is one argument too many: guidepost where takes
            """)
    void aWrongArgumentIsNamedWithWhatWouldBeRight(String command, String fault) {
        CommandRun run = CommandRun.of(command.split(" "));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines().findFirst().orElseThrow()).startsWith("guidepost: ").contains(fault);
    }

    @Test
    void anExportMakesNoStore() {
        Path missing = folder.resolve("missing");
        Path dump = folder.resolve("dump.json");
        CommandRun run = CommandRun.of("export", "handle", dump.toString(), "--set", "store.folder=" + missing);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("guidepost: --set: store.folder: there is no store in " + missing);
        assertThat(missing).doesNotExist();
        assertThat(dump).doesNotExist();
    }
}
