package io.guidepost.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.Main;
import java.io.BufferedWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 12 with real processes: SIGKILL in the middle of a trace, and SIGTERM. */
class ProveCommandTest {
    private static final Pattern KILL = Pattern.compile("kill -9, restart +([0-9]+) ");

    @TempDir
    private Path folder;

    @Test
    void whatWasAcknowledgedBeforeAKillIsFoundAfterIt() throws Exception {
        Path prefixes = folder.resolve("prefixes");
        try (BufferedWriter out = Files.newBufferedWriter(prefixes)) {
            for (int i = 0; i < 2000; i++) {
                out.write((1 + i % 223) + "." + i / 223 + ".0.0/16 " + (1 + i % 50) + "\n");
            }
        }
        Path bindings = folder.resolve("bindings");
        try (BufferedWriter out = Files.newBufferedWriter(bindings)) {
            for (int as = 1; as <= 50; as++) {
                out.write(as + " 127.0.0.1 5001\n");
            }
        }
        Path trace = folder.resolve("trace");
        assertThat(Main.execute("replay", "--generate", "1500,3000", "--output", trace.toString())).isZero();
        String[] args = {
            "prove", "--kills", "2", "--prefixes", prefixes.toString(), "--bindings", bindings.toString(),
            "--trace", trace.toString()
        };
        CommandRun ran = CommandRun.of(args);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out())
                .contains("Proven: every binding that was acknowledged is there.")
                .containsPattern("kill -9, restart +[0-9]+ +[0-9]+ +0 ")
                .containsPattern("4500 +1500 +3000 +0 +0 +0");
    }

    /** A trace that goes on while the server is looked at may be over before the other kills, which then prove nothing. */
    @Test
    void eachKillComesWhereItIsToInterruptTheTrace() throws Exception {
        Path trace = folder.resolve("trace");
        assertThat(Main.execute("replay", "--generate", "40,20", "--output", trace.toString())).isZero();
        CommandRun ran = CommandRun.of("prove", "--kills", "3", "--trace", trace.toString());
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(KILL.matcher(ran.out()).results().map(each -> Long.parseLong(each.group(1))).toList())
                .as(ran.out())
                .isEqualTo(ProveCommand.moments(1, 3, 40, 60));
    }

    @Test
    void nothingIsProvenOfAServerThatAcknowledgedNothing() throws Exception {
        Path trace = Files.writeString(folder.resolve("trace"), "1\tLOOKUP\t3\tNA3\t1\tNA1\n");
        CommandRun ran = CommandRun.of("prove", "--kills", "1", "--trace", trace.toString());
        assertThat(ran.code()).as(ran.toString()).isEqualTo(1);
        assertThat(ran.out()).contains("NOT proven: no write was acknowledged.");
    }

    @Test
    void aServerThatIsToldToEndFinishesWhatItAcknowledged() throws Exception {
        InetSocketAddress address;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
        List<String> settings = List.of(
                "gnrs.listen=127.0.0.1",
                "gnrs.port=" + address.getPort(),
                "admin.port=-1",
                "store.folder=" + folder.resolve("store"));
        List<Binding> places = List.of(Binding.of(Locator.parse("10.0.0.1:7000")));
        Path log = folder.resolve("log");
        try (ChildServer server = ChildServer.start(address, settings, log);
                GnrsClient client = GnrsClient.open(address)) {
            assertThat(server.startMillis()).isPositive();
            client.insert(Guid.ofAscii("name"), places);
        }
        assertThat(Files.readString(log)).contains("answers gnrs at 127.0.0.1:" + address.getPort(), "has ended");
        try (ChildServer server = ChildServer.start(address, settings, log);
                GnrsClient client = GnrsClient.open(address)) {
            assertThat(server.startMillis()).isPositive();
            assertThat(client.lookup(Guid.ofAscii("name")).bindings()).isEqualTo(places);
        }
    }
}
