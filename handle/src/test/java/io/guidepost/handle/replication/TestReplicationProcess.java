package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A {@link TestReplicationNode} in a process of its own, which can be killed. */
final class TestReplicationProcess implements AutoCloseable {
    private final List<String> command;
    private Process process;

    private TestReplicationProcess(List<String> command) throws IOException {
        this.command = command;
        this.process = launch();
    }

    /** One with an empty store that is filled with so many records, if it has none. */
    static TestReplicationProcess source(Path folder, int port, Path keys, Path admin, int records) throws IOException {
        return new TestReplicationProcess(command(folder, port, keys, admin, "fill", Integer.toString(records)));
    }

    /** One that follows a source. */
    static TestReplicationProcess mirror(Path folder, int port, Path keys, Path admin, int sourcePort, Path sourceKey)
            throws IOException {
        return new TestReplicationProcess(command(
                folder, port, keys, admin, "follow", Integer.toString(sourcePort), sourceKey.toString()));
    }

    private static List<String> command(Path folder, int port, Path keys, Path admin, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TestReplicationProcess.class.getName(),
                folder.toString(),
                Integer.toString(port),
                keys.toString(),
                admin.toString()));
        command.addAll(List.of(more));
        return command;
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Kills it without warning. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void startAgain() throws IOException {
        process = launch();
    }

    @Override
    public void close() {
        kill();
    }

    /** The process: store, port, keys, administrators' keys, and what to do. */
    public static void main(String[] args) throws Exception {
        TestReplicationKeys admin = TestReplicationKeys.in(Path.of(args[3]));
        TestReplicationNode node = TestReplicationNode.in(Path.of(args[0]), TestReplicationKeys.in(Path.of(args[2])),
                Integer.parseInt(args[1]));
        switch (args[4]) {
            case "fill" -> {
                if (node.records.find(Handle.of("1234/Record-0")).isEmpty()) {
                    node.withAdministrators(admin);
                    node.fill(0, Integer.parseInt(args[5]));
                }
            }
            case "follow" -> {
                ReplicationUpstream origin = new TlsUpstream(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[5])),
                        PublicKeyRecord.read(Files.readAllBytes(Path.of(args[6]))).key(),
                        TestReplicationNode.MIRROR,
                        admin.pair().getPrivate(),
                        20_000,
                        InstantSource.system(),
                        new SplittableRandom());
                node.mirror(new MirrorSettings(
                                "source",
                                MirrorSettings.ALL,
                                MirrorSettings.ALL,
                                false,
                                Duration.ofMillis(200),
                                MirrorSettings.PAUSE_MAX), origin)
                        .follow();
            }
            default -> throw new IllegalArgumentException(args[4]);
        }
        Thread.currentThread().join();
    }
}
