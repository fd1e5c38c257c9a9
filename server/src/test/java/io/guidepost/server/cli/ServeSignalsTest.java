package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.support.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager sends to a server, and the code that it sees. */
class ServeSignalsTest {
    /** So few that those of some seconds are within the bounds of what one network may have under way. */
    private static final int REQUESTS_PER_SECOND = 200;

    @TempDir
    private Path folder;

    private Process serve(String... settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--config", folder.resolve("guidepost.toml").toString()));
        List.of(settings).forEach(each -> arguments.addAll(List.of("--set", each)));
        // Tests that run under nohup ignore SIGHUP, and what they start would too.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(ChildJvm.command(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private void configuration(String more) throws IOException {
        Files.writeString(folder.resolve("guidepost.toml"), """
                [store]
                folder = "store"
                [gnrs]
                listen = ["127.0.0.1"]
                port = 0
                [admin]
                port = 0
                """ + more);
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void says(Process server, String text) {
        RunningServer.eventually(() -> log().contains(text) || !server.isAlive());
        assertThat(log()).contains(text);
    }

    @Test
    void sighupReloadsAndSigtermEndsWithZeroForAServerThatGoesOn() throws Exception {
        configuration("");
        Process server = serve("store.folder=" + folder.resolve("store"));
        try {
            says(server, "records in ");
            configuration("[gnrs2]\nport = 1\n");
            hangUp(server);
            says(server, "reload refused, the old files stay in force: " + folder.resolve("guidepost.toml"));
            configuration("");
            hangUp(server);
            says(server, "reloaded in ");
            upgrade(server);
        } finally {
            server.destroyForcibly();
        }
    }

    /** Ends a server under load and starts another on its store and port. */
    private void upgrade(Process old) throws Exception {
        Matcher address = Pattern.compile("127\\.0\\.0\\.1:(\\d+)").matcher(log());
        assertThat(address.find()).as(log()).isTrue();
        String port = "gnrs.port=" + address.group(1);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address.group(1)));
        try (PacedRequests requests = PacedRequests.start(server, REQUESTS_PER_SECOND)) {
            requests.awaitMore();
            assertThatThrownBy(() -> RunningServer.start(folder, port))
                    .as("a second server at the same port and store")
                    .isInstanceOf(IOException.class);
            requests.awaitMore();

            old.destroy();
            assertThat(old.waitFor()).isZero();
            assertThat(log()).contains("Guidepost has ended");
            try (RunningServer next = RunningServer.start(folder, port)) {
                assertThat(next.address()).isEqualTo(server);
                requests.awaitMore();
                requests.finish();
            }
        }
    }

    @Test
    void aServerThatCannotStartEndsWithItsCode() throws Exception {
        configuration("");
        Process server = serve("gnrs.port=none");
        assertThat(server.waitFor()).isEqualTo(2);
    }

    private static void hangUp(Process server) throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(server.pid())).start().waitFor()).isZero();
    }
}
