package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.support.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server that runs is killed while another process takes over from it: nothing that it acknowledged is lost, and the new process
 * serves, or one that is started does. What {@link KillingRelay} makes of the words stands there.
 */
class KilledTakeoverTest {
    private static final int KILLED = 137;
    private static final int REQUESTS_PER_SECOND = 200;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    private Process start(String log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
        started.add(process);
        return process;
    }

    private void configuration(int port) throws IOException {
        Files.writeString(folder.resolve("guidepost.toml"), """
                [gnrs]
                listen = ["127.0.0.1"]
                port = %d
                [admin]
                port = -1
                """.formatted(port));
    }

    private Process serve(String log) throws IOException {
        return start(log, BuiltServer.command(List.of(
                "serve", "--config", folder.resolve("guidepost.toml").toString(), "--set", "store.folder=" + folder.resolve("store"))));
    }

    /** Has a process take over by way of a relay that kills the server before. */
    private Process takeOver(String when) throws IOException {
        Path own = Files.createTempDirectory(folder, "relay");
        List<String> command = new ArrayList<>(ChildJvm.command(List.of(
                folder.resolve("store").toString(), when, own.toString(), folder.resolve("guidepost.toml").toString())));
        command.replaceAll(each -> each.equals("io.guidepost.server.cli.Main") ? TakeoverChild.class.getName() : each);
        return start(own.getFileName() + ".log", command);
    }

    private String says(String log, Process process, String text) throws IOException {
        Path file = folder.resolve(log);
        RunningServer.eventually(() -> {
            try {
                return Files.readString(file).contains(text) || !process.isAlive();
            } catch (IOException e) {
                return false;
            }
        });
        String said = Files.readString(file);
        assertThat(said).contains(text);
        return said;
    }

    /** While the old process finishes writes and closes its store, and once the new one alone has it. */
    @Test
    void theNewProcessServesWhereTheOldOneIsKilledWhileNoProcessAnswers() throws Exception {
        kill("prepared!", "go");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"all!", "prepared!", "prepared!!", "go", "opened!", "serve!"})
    void theNewProcessServesWhereverTheOldOneIsKilled(String when) throws Exception {
        for (int i = 0; i < 3; i++) {
            kill(when);
            end();
            started.clear();
        }
    }

    /** The new process cannot have what it was not given: both have ended, and the next start has all that was acknowledged. */
    @Tag("long")
    @Test
    void aStartServesWhereTheOldProcessIsKilledBeforeItHasHandedOver() throws Exception {
        kill("sockets");
    }

    private void kill(String... whens) throws Exception {
        configuration(0);
        Process old = serve("first");
        Matcher address = Pattern.compile("gnrs +127\\.0\\.0\\.1:(\\d+)").matcher(says("first", old, "records in "));
        assertThat(address.find()).isTrue();
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address.group(1)));
        configuration(server.getPort());
        try (PacedRequests requests = PacedRequests.start(server, REQUESTS_PER_SECOND)) {
            for (String when : whens) {
                requests.awaitMore();
                Process next = takeOver(when);
                assertThat(old.waitFor()).as(when).isEqualTo(KILLED);
                if (when.equals("sockets")) {
                    assertThat(next.waitFor()).isEqualTo(1);
                    next = serve("again");
                }
                requests.awaitMore();
                assertThat(next.isAlive()).as(when).isTrue();
                old = next;
            }
            requests.finish();
        }
    }
}
