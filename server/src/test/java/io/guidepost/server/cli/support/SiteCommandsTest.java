package io.guidepost.server.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.AddressText;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of many sites, against servers with small tables. */
class SiteCommandsTest {
    @TempDir
    private Path folder;

    private static String admin(RunningServer server) {
        return AddressText.of(server.server().adminAddress().orElseThrow());
    }

    private Path prefixes() throws IOException {
        return Files.writeString(folder.resolve("prefixes"), "0.0.0.0/2 1\n128.0.0.0/2 2\n");
    }

    private Path bindings(int first, int second) throws IOException {
        return Files.writeString(
                folder.resolve("bindings"), "1 127.0.0.1 " + first + "\n2 127.0.0.1 " + second + "\n");
    }

    @Test
    void whereTellsEveryHashTheHolesAndWhatEachServerHas() throws Exception {
        try (RunningServer one = RunningServer.start(folder.resolve("one"));
                RunningServer two = RunningServer.start(folder.resolve("two"))) {
            Path bindings = bindings(one.address().getPort(), two.address().getPort());
            String[] where = {
                "where", "printer", "--prefixes", prefixes().toString(), "--bindings", bindings.toString(), "-K", "8"
            };
            CommandRun nothing = CommandRun.of(where);
            assertThat(nothing.code()).as(nothing.err()).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(nothing.out())
                    .startsWith("7072696e74657200000000000000000000000000 has 8 copies at 2 servers\n")
                    .containsPattern("\n +0 +the GUID +[0-9.]+ ")
                    .contains("a hole: hashed again", "0.0.0.0/2", "128.0.0.0/2", "None of them has it.");
            assertThat(nothing.out().lines()).allMatch(line -> line.length() <= 100);

            assertThat(CommandRun.of("put", "printer", "10.1.2.3:4444", "-S", AddressText.of(one.address())).code()).isZero();
            CommandRun half = CommandRun.of(where);
            assertThat(half.code()).isEqualTo(ExitCode.FAILED);
            assertThat(half.out()).contains("1 place (A)", "(A) 10.1.2.3:4444", "They differ");

            assertThat(CommandRun.of("put", "printer", "10.1.2.3:4444", "-S", AddressText.of(two.address())).code()).isZero();
            CommandRun both = CommandRun.of(where);
            assertThat(both.code()).isZero();
            assertThat(both.out()).contains("All that answered have the same.");
        }
    }

    @Test
    void whereAsksARunningServerForItsTables() throws Exception {
        try (RunningServer server = RunningServer.start(
                folder,
                "placement.prefix-file=" + prefixes(),
                "placement.binding-file=" + bindings(5001, 5002),
                "gnrs.advertise=127.0.0.1:5001")) {
            CommandRun told = CommandRun.of("where", "printer", "--no-ask", "-a", admin(server));
            assertThat(told.code()).as(told.err()).isZero();
            assertThat(told.out()).contains(" copies at 2 servers", "127.0.0.1:5001", "127.0.0.1:5002");
            assertThat(CommandRun.of("where", "printer", "--no-ask", "--json", "-a", admin(server)).json())
                    .containsKeys("copies", "servers", "held");
        }
        try (RunningServer alone = RunningServer.start(folder.resolve("alone"))) {
            assertThat(CommandRun.of("where", "printer", "-a", admin(alone)).out()).startsWith("No tables are loaded");
        }
    }

    @Test
    void sitesShowsWhoKeepsWhatAndWhoIsSilent() throws Exception {
        Path members = Files.writeString(folder.resolve("members"), "paris 127.0.0.1:5001\ntokyo 127.0.0.1:5002\n");
        try (RunningServer server = RunningServer.start(
                folder,
                "placement.prefix-file=" + prefixes(),
                "placement.binding-file=" + bindings(5001, 5002),
                "sites.file=" + members,
                "sites.timeout-millis=10",
                "gnrs.advertise=127.0.0.1:5001")) {
            assertThat(RunningServer.eventually(() -> CommandRun.of("sites", "-a", admin(server)).out().contains(" down ")))
                    .isTrue();
            CommandRun shown = CommandRun.of("sites", "-a", admin(server));
            assertThat(shown.code()).as(shown.err()).isZero();
            assertThat(shown.out())
                    .startsWith("server  address ")
                    .containsPattern("\nparis +127.0.0.1:5001 +here +[0-9]+ %")
                    .containsPattern("\ntokyo +127.0.0.1:5002 +down +[0-9]+ % ")
                    .contains("1 server does not answer.");
            assertThat(shown.out().lines()).allMatch(line -> line.length() <= 100);
            assertThat(CommandRun.of("sites", "--json", "-a", admin(server)).json())
                    .containsKeys("servers", "catchingUp", "hintBytes");
        }
        try (RunningServer alone = RunningServer.start(folder.resolve("alone"))) {
            assertThat(CommandRun.of("sites", "-a", admin(alone)).out()).isEqualTo("This server is alone: its tables name no other.\n");
        }
    }

    @Test
    void theDoctorTakesThePortOfTheCopiesForTheRunningServers() throws Exception {
        Path members = Files.writeString(folder.resolve("members"), "paris 127.0.0.1:5001\ntokyo 127.0.0.1:5002\n");
        String[] tables = {
            "placement.prefix-file=" + prefixes(), "placement.binding-file=" + bindings(5001, 5002), "sites.file=" + members,
            "gnrs.advertise=127.0.0.1:5001", "gnrs.listen=127.0.0.1"
        };
        try (RunningServer server = RunningServer.start(folder, tables)) {
            InetSocketAddress sites = server.server().endpoints().stream()
                    .filter(each -> each.protocol().equals("copies of other sites")).findFirst().orElseThrow().address();
            List<String> command = new ArrayList<>(List.of("doctor", "-s", "sites.port=" + sites.getPort(), "-s", "gnrs.port="
                    + server.address().getPort(), "-s", "admin.port=" + server.server().adminAddress().orElseThrow().getPort()));
            Stream.of(tables).forEach(each -> command.addAll(List.of("-s", each)));
            CommandRun run = CommandRun.of(command.toArray(String[]::new));
            assertThat(run.out()).containsPattern("copies of other sites at 127.0.0.1:" + sites.getPort() + " +OK +the running Guidepost");
        }
    }

    @Test
    void aDemonstrationOfSeveralServersNeedsTheDemo() {
        assertThat(CommandRun.of("serve", "--sites", "3").err()).contains("--sites is for --demo");
        assertThat(CommandRun.of("serve", "--demo", "--sites", "10").err()).contains("it must be 1 to 9");
    }
}
