package io.guidepost.bench.fleet;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A cluster of one node of Apache Cassandra, which the script of the fleet's tests starts. */
record CassandraUnderTest(ChildProcess child, InetSocketAddress address, int cpu, Path folder) {
    /** The command is run in the folder of the checkout, and tests in that of their module. */
    private static final List<Path> SCRIPTS =
            Stream.of("", "..").map(each -> Path.of(each, "fleet", "src", "test", "cassandra", "node.sh")).toList();

    private static final long START_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    private static final long LOOK_NANOS = 100_000_000;
    private static final long SCHEMA_SECONDS_MAX = 120;

    /** Starts it, and waits until it answers. */
    static CassandraUnderTest start(BenchStage stage, int cpu) throws IOException {
        Path script = SCRIPTS.stream().filter(Files::isExecutable).findFirst().orElseThrow(() -> BenchFailure.missing(
                "there is no " + SCRIPTS.getFirst() + " here, which starts Cassandra: run this in the folder of the checkout"));
        stage.progress().say("starting Cassandra");
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        InetSocketAddress address = new InetSocketAddress(host, ServerUnderTest.freeTcpPort());
        Path folder = Files.createDirectory(stage.folder().resolve("cassandra"));
        ChildProcess child = stage.keep(ChildProcess.start("Cassandra", cpu, stage.folder(), List.of(
                script.toString(), folder.toString(), host, Integer.toString(ServerUnderTest.freeTcpPort()),
                Integer.toString(address.getPort()), host)));
        try {
            awaitAnswer(child, address);
        } catch (BenchFailure e) {
            throw BenchFailure.missing(e.sentence() + "\n  A node takes a JDK 17 in /usr/lib/jvm, a GiB of memory and, once, jars of Maven"
                    + " Central: see " + script);
        }
        return new CassandraUnderTest(child, address, cpu, stage.folder());
    }

    /** Waits until a process takes connections. */
    static void awaitAnswer(ChildProcess child, InetSocketAddress address) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (!answers(address)) {
            if (!child.alive() || System.nanoTime() - end > 0) {
                throw child.failed(child.alive() ? "did not answer within five minutes" : "did not start");
            }
            BenchStage.rest(LOOK_NANOS);
        }
    }

    private static boolean answers(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes the tables of a fleet in a keyspace of its own. */
    void makeTables(String keyspace) {
        List<String> command = ServerUnderTest.command(
                "fleet", "schema", "--create", "--replicas", "1", "--set", "fleet.contact-points=" + contactPoint(),
                "--set", "fleet.keyspace=" + keyspace);
        try (ChildProcess schema = ChildProcess.start("schema", cpu, folder, command)) {
            schema.finish(SCHEMA_SECONDS_MAX);
        }
    }

    String contactPoint() {
        return address.getHostString() + ":" + address.getPort();
    }

    long cpuNanos() {
        return child.meter().cpuNanos();
    }
}
