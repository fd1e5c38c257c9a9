package io.guidepost.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.Main;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 12 with real processes: SIGKILL in the middle of a trace, and SIGTERM. */
class ProveCommandTest {
    private static final Pattern KILL = Pattern.compile("kill -9, restart +([0-9]+) ");

    private static final int WINDOW = 64;
    private static final int ACKNOWLEDGED_BEFORE = 500;

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

    /** Its code alone is seen here: it runs in a namespace, as a process of its own. */
    @Test
    void noAnswerOutOfTheKernelIsOlderThanWhatWasAcknowledged() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")) && System.getProperty("os.arch").equals("amd64"), "bpf takes root");
        assumeTrue(NetworkNamespace.possible(), "no network namespaces here");
        Path trace = folder.resolve("trace");
        assertThat(Main.execute("replay", "--generate", "1500,3000", "--output", trace.toString())).isZero();
        assertThat(CommandRun.of("prove", "--kernel-cache", "--kills", "1", "--trace", trace.toString()).code()).isZero();
    }

    @Test
    void theKernelAnswersForOneServerAlone() {
        assertThat(CommandRun.of("prove", "--kernel-cache", "--sites", "3").err()).contains("--kernel-cache is for one server");
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
    void aServerThatIsToldToEndUnderLoadRefusesNothingAndKeepsWhatItAcknowledged() throws Exception {
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
        List<Guid> acknowledged = new ArrayList<>();
        Set<GnrsResponse.Outcome> outcomes = EnumSet.noneOf(GnrsResponse.Outcome.class);
        ChildServer first = ChildServer.start(address, settings, log);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (GnrsClient client = GnrsClient.open(address, new GnrsClientSettings(1000, 1, WINDOW))) {
            Iterator<GnrsRequest> inserts = Stream.iterate(0, each -> each + 1)
                    .takeWhile(_ -> !ended.isDone())
                    .map(each -> GnrsRequest.insert(Guid.ofAscii("name-" + each), places))
                    .iterator();
            client.batch(inserts, answer -> {
                outcomes.add(answer.outcome());
                if (answer.outcome() == GnrsResponse.Outcome.SUCCESS) {
                    acknowledged.add(answer.request().guid());
                    if (acknowledged.size() == ACKNOWLEDGED_BEFORE) {
                        end(first, ended);
                    }
                }
            });
        } finally {
            first.close();
        }
        ended.join();
        assertThat(Files.readString(log)).contains("answers gnrs at 127.0.0.1:" + address.getPort(), "has ended").doesNotContain("ERROR");
        assertThat(outcomes).as("what comes later has no answer, and is sent again").doesNotContain(GnrsResponse.Outcome.FAILED);
        try (ChildServer server = ChildServer.start(address, settings, log);
                GnrsClient client = GnrsClient.open(address)) {
            assertThat(server.startMillis()).isPositive();
            List<Guid> missing = new ArrayList<>();
            client.batch(acknowledged.stream().map(each -> GnrsRequest.lookup(each, false)).iterator(), answer -> {
                if (!answer.bindings().equals(places)) {
                    missing.add(answer.request().guid());
                }
            });
            assertThat(missing).as("of %d", acknowledged.size()).isEmpty();
            client.insert(Guid.ofAscii("again"), places);
        }
    }

    private static void end(ChildServer server, CompletableFuture<Void> ended) {
        Thread.ofPlatform().start(() -> {
            try {
                server.close();
                ended.complete(null);
            } catch (IOException e) {
                ended.completeExceptionally(e);
            }
        });
    }
}
