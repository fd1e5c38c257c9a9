package io.guidepost.server.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.service.NotifyListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

    /** Of GNRS and of administration; those that were given, once they are known. */
    private List<Integer> ports = List.of(0, 0);

    private Process serve(String... settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--config", folder.resolve("guidepost.toml").toString()));
        List.of(settings).forEach(each -> arguments.addAll(List.of("--set", each)));
        // Tests that run under nohup ignore SIGHUP, and what they start would too.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(BuiltServer.command(arguments));
        command.add(command.indexOf("io.guidepost.server.cli.Main"), "-Dguidepost.launcher=" + launcher(command));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("NOTIFY_SOCKET", folder.resolve("notify").toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    /** Starts the version that is installed: the same, or one that never becomes ready. */
    private Path launcher(List<String> command) throws IOException {
        String java = String.join("' '", command.subList(0, command.indexOf("io.guidepost.server.cli.Main") + 1));
        Path launcher = Files.writeString(folder.resolve("launcher"), """
                #!/bin/sh
                [ -e '%s' ] && exec sleep 1000
                exec '%s' "$@"
                """.formatted(folder.resolve("stuck"), java));
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        return launcher;
    }

    private void configuration(String more) throws IOException {
        Files.writeString(folder.resolve("guidepost.toml"), """
                [store]
                folder = "store"
                [gnrs]
                listen = ["127.0.0.1"]
                port = %d
                [admin]
                port = %d
                """.formatted(ports.toArray()) + more);
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
        NotifyListener manager = NotifyListener.in(folder);
        Process server = serve("store.folder=" + folder.resolve("store"));
        try (manager) {
            says(server, "records in ");
            assertThat(manager.next()).startsWith("READY=1\n");
            configuration("[gnrs2]\nport = 1\n");
            hangUp(server);
            says(server, "reload refused, the old files stay in force: " + folder.resolve("guidepost.toml"));
            configuration("");
            hangUp(server);
            says(server, "reloaded in ");
            assertThat(List.of(manager.next(), manager.next(), manager.next(), manager.next()))
                    .as("both reloads")
                    .satisfiesExactly(
                            each -> assertThat(each).startsWith("RELOADING=1\n"), each -> assertThat(each).isEqualTo("READY=1"),
                            each -> assertThat(each).startsWith("RELOADING=1\n"), each -> assertThat(each).isEqualTo("READY=1"));
            upgrade(server, manager);
        } finally {
            server.destroyForcibly();
        }
    }

    /** Has other processes take over from a server under load: some that fail, and one that serves. */
    private void upgrade(Process old, NotifyListener manager) throws Exception {
        InetSocketAddress server = address("gnrs");
        InetSocketAddress admin = address("admin");
        String[] upgrade = {"upgrade", "--admin", "127.0.0.1:" + admin.getPort()};
        ports = List.of(server.getPort(), admin.getPort());
        try (PacedRequests requests = PacedRequests.start(server, REQUESTS_PER_SECOND);
                Socket connection = new Socket(admin.getAddress(), admin.getPort())) {
            requests.awaitMore();
            assertThatThrownBy(() -> RunningServer.start(folder, "gnrs.port=" + server.getPort()))
                    .as("a second server at the same port and store")
                    .isInstanceOf(IOException.class);

            configuration("[gnrs2]\nport = 1\n");
            CommandRun refused = CommandRun.of(upgrade);
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err()).contains("the new process ended with code 2 before it was ready");
            configuration("");
            Files.createFile(folder.resolve("stuck"));
            assertThat(CommandRun.of("upgrade", "--within", "1", "--admin", upgrade[2]).err())
                    .contains("the new process was not ready within 1 s");
            Files.delete(folder.resolve("stuck"));
            try (InputStream health = URI.create("http://" + upgrade[2] + "/health").toURL().openStream()) {
                assertThat(new String(health.readAllBytes(), StandardCharsets.UTF_8)).contains("upgrade-failed", "not ready within 1 s");
            }
            assertThat(manager.poll()).as("nothing is held for one that is not ready").isEmpty();
            assertThat(ended("")).as("killed before it was ready").isEqualTo(TakeoverChild.KILLED);
            assertThat(ended("prepared")).as("killed while nobody answers").isEqualTo(TakeoverChild.KILLED);
            requests.awaitMore();
            assertThat(manager.next()).startsWith("RELOADING=1\n");
            assertThat(manager.next()).as("it goes on").isEqualTo("READY=1");

            connection.getOutputStream().write("GET /live HT".getBytes(StandardCharsets.US_ASCII));
            CommandRun done = CommandRun.of(upgrade);
            assertThat(done.code()).as("%s %s", done, log()).isZero();
            ProcessHandle next = ProcessHandle.of(requireNonNull((Long) done.json().get("process"))).orElseThrow();
            try {
                assertThat(old.waitFor()).isZero();
                assertThat(manager.next()).startsWith("RELOADING=1\n");
                assertThat(manager.next()).isEqualTo("MAINPID=" + next.pid());
                assertThat(manager.next()).as("by the new process").startsWith("READY=1\nSTATUS=");
                connection.getOutputStream().write("TP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                byte[] status = connection.getInputStream().readNBytes("HTTP/1.1 200".length());
                assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
                requests.awaitMore();
                requests.finish();
            } finally {
                next.destroy();
                next.onExit().join();
            }
        }
    }

    /** Returns the code of a process that is killed while it takes over. */
    private int ended(String when) throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(List.of(folder.resolve("store").toString(), when)));
        command.replaceAll(each -> each.equals("io.guidepost.server.cli.Main") ? TakeoverChild.class.getName() : each);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private InetSocketAddress address(String service) {
        Matcher address = Pattern.compile(service + " +127\\.0\\.0\\.1:(\\d+)").matcher(log());
        assertThat(address.find()).as(log()).isTrue();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address.group(1)));
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
