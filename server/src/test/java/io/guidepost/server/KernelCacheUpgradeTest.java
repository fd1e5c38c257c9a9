package io.guidepost.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose interface answers in the kernel is upgraded under look-ups and writes: none is lost, and no answer is old. */
class KernelCacheUpgradeTest {
    private static final int UPGRADES = 2;
    private static final String OWN = "10.78.10.1";

    /** Look-ups under way: some are in the queue of the interface when the program changes. */
    private static final int TOGETHER = 16;

    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger lookups = new AtomicInteger();
    private volatile boolean ended;

    @TempDir
    private Path folder;

    @Test
    void anUpgradeLosesNoLookUpAndAnswersNothingOld() throws Exception {
        String device = "gpku" + ProcessHandle.current().pid();
        try (NamespaceClient client = KernelCacheServedTest.client(device, OWN, "10.78.10.2");
                ExecutorService threads = Executors.newCachedThreadPool()) {
            int port = freePort();
            int admin = freePort();
            Process server = serve(port, admin, device);
            try (GnrsClient writer = GnrsClient.open(loopback(port), new GnrsClientSettings(2000, 10, 1))) {
                assertThat(RunningServer.eventually(() -> page(admin, "/health").contains("\"status\": \"ok\""))).as(log()).isTrue();
                Callable<Void> writing = () -> write(writer);
                Callable<Void> asking = () -> ask(client, new InetSocketAddress(OWN, port));
                List<Future<Void>> both = List.of(threads.submit(writing), threads.submit(asking));
                ProcessHandle process = server.toHandle();
                List<String> link = links(process);
                assertThat(link).as("links of programs").hasSize(1);
                for (int i = 0; i < UPGRADES; i++) {
                    awaitAnswers(admin, both);
                    CommandRun done = CommandRun.of("upgrade", "--admin", "127.0.0.1:" + admin);
                    assertThat(done.code()).as("%s %s", done, log()).isZero();
                    process.onExit().join();
                    process = ProcessHandle.of(requireNonNull((Long) done.json().get("process"))).orElseThrow();
                    assertThat(links(process)).as("the interface is never without a program").isEqualTo(link);
                }
                awaitAnswers(admin, both);
                ended = true;
                for (Future<Void> each : both) {
                    each.get();
                }
                process.destroy();
                process.onExit().join();
            } finally {
                ended = true;
                ProcessHandle.allProcesses()
                        .filter(each -> each.info().commandLine().orElse("").contains(folder.toString()))
                        .forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    private Process serve(int port, int admin, String device) throws IOException {
        Path configuration = Files.writeString(folder.resolve("guidepost.toml"), """
                [store]
                folder = "%s"
                [gnrs]
                listen = ["127.0.0.1", "%s"]
                port = %d
                kernel-cache = "%s,mode=generic"
                [admin]
                port = %d
                """.formatted(folder.resolve("store"), OWN, port, device, admin));
        List<String> command = new ArrayList<>(BuiltServer.command(List.of("serve", "--config", configuration.toString())));
        int main = command.indexOf("io.guidepost.server.cli.Main");
        Path launcher = Files.writeString(
                folder.resolve("launcher"), "#!/bin/sh\nexec '" + String.join("' '", command.subList(0, main + 1)) + "' \"$@\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        command.add(main, "-Dguidepost.launcher=" + launcher);
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /** Returns a port that is free over UDP and TCP, and below those that the kernel gives to others. */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
            try (DatagramSocket udp = new DatagramSocket(port);
                    ServerSocket tcp = new ServerSocket(port)) {
                return Math.max(udp.getLocalPort(), tcp.getLocalPort());
            } catch (BindException e) {
                // Another program has it: the next one is tried.
            }
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static String page(int admin, String path) {
        try {
            return RunningServer.page(loopback(admin), path);
        } catch (IOException e) {
            return "";
        }
    }

    /** Waits until the program of the process that serves has answered. */
    private void awaitAnswers(int admin, List<Future<Void>> both) {
        int before = lookups.get();
        assertThat(RunningServer.eventually(() -> both.stream().anyMatch(Future::isDone)
                        || lookups.get() > before
                        && page(admin, "/metrics").lines().anyMatch(each ->
                                each.startsWith(KernelCacheServedTest.ANSWERED) && !each.endsWith(" 0"))))
                .isTrue();
        assertThat(both).as("what writes and what asks goes on").noneMatch(Future::isDone);
    }

    /** Returns the numbers of the links of programs that a process has. */
    private static List<String> links(ProcessHandle process) throws IOException {
        List<String> links = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(process.pid()), "fdinfo"))) {
            for (Path each : descriptors.toList()) {
                try (Stream<String> lines = Files.lines(each)) {
                    lines.filter(line -> line.startsWith("link_id:")).forEach(links::add);
                } catch (IOException e) {
                    assumeTrue(process.isAlive(), "the process has ended");
                }
            }
        }
        return links;
    }

    private Void write(GnrsClient writer) throws IOException {
        for (int version = 1; !ended; version++) {
            List<Binding> place = List.of(Binding.of(new Locator(0, ByteBuffer.allocate(6).putInt(version).array())));
            assertThat(writer.update(KernelCacheServedTest.NAME, place).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            acknowledged.set(version);
        }
        return null;
    }

    private Void ask(NamespaceClient client, InetSocketAddress server) throws IOException {
        int seen = 0;
        for (int id = 0; !ended; id += TOGETHER) {
            int least = Math.max(seen, acknowledged.get());
            for (int i = 0; i < TOGETHER; i++) {
                client.send(server, KernelCacheServedTest.question(id + i));
            }
            for (int i = 0; i < TOGETHER; i++) {
                ByteBuffer answer = ByteBuffer.wrap(client.receive().bytes());
                assertThat(answer.getInt(4) - id).as("of this round").isBetween(0, TOGETHER - 1);
                if (least > 0) {
                    int version = answer.getInt(KernelCacheServedTest.PLACE);
                    assertThat(version).isGreaterThanOrEqualTo(least);
                    seen = Math.max(seen, version);
                }
                lookups.incrementAndGet();
            }
        }
        return null;
    }
}
