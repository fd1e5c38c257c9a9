package io.guidepost.bench.fleet;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A cluster of Apache Cassandra, whose nodes the script of the fleet's tests starts, at 127.0.0.1 and the addresses behind it.
 *
 * @param address of the first node
 * @param cpu processor of all nodes and of what is started beside them, or {@link ProcessPinning#ANYWHERE}
 */
record CassandraUnderTest(List<ChildProcess> nodes, InetSocketAddress address, int cpu, Path folder) {
    /** The command is run in the folder of the checkout, and tests in that of their module. */
    private static final List<Path> SCRIPTS =
            Stream.of("", "..").map(each -> Path.of(each, "fleet", "src", "test", "cassandra", "node.sh")).toList();

    private static final long START_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    private static final long LOOK_NANOS = 100_000_000;
    private static final int LOOKS_MAX = 600;
    private static final long SCHEMA_SECONDS_MAX = 120;
    private static final String WELL = "\"status\": \"ok\"";

    /** Starts its nodes one after the other, and waits until they answer. */
    static CassandraUnderTest start(BenchStage stage, int cpu, int nodes) throws IOException {
        Path script = SCRIPTS.stream().filter(Files::isExecutable).findFirst().orElseThrow(() -> BenchFailure.missing(
                "there is no " + SCRIPTS.getFirst() + " here, which starts Cassandra: run this in the folder of the checkout"));
        String first = InetAddress.getLoopbackAddress().getHostAddress();
        String storage = Integer.toString(ServerUnderTest.freeTcpPort());
        int port = ServerUnderTest.freeTcpPort();
        List<ChildProcess> children = new ArrayList<>();
        for (int i = 1; i <= nodes; i++) {
            stage.progress().say("starting Cassandra, node " + i);
            String host = "127.0.0." + i;
            Path folder = Files.createDirectory(stage.folder().resolve("cassandra-" + i));
            ChildProcess child = stage.keep(ChildProcess.start("Cassandra", cpu, stage.folder(), List.of(
                    script.toString(), folder.toString(), host, storage, Integer.toString(port), first)));
            children.add(child);
            try {
                awaitAnswer(child, new InetSocketAddress(host, port));
            } catch (BenchFailure e) {
                throw BenchFailure.missing(e.sentence() + "\n  A node takes a JDK 17 in /usr/lib/jvm, a GiB of memory and, once, jars of"
                        + " Maven Central: see " + script);
            }
        }
        return new CassandraUnderTest(children, new InetSocketAddress(first, port), cpu, stage.folder());
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

    /** Starts a front end, and waits until it has connected. */
    ServerUnderTest frontEnd(BenchStage stage, String name, String keyspace, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("store.engine", "cassandra");
        all.put("store.memory", "256 MiB");
        all.put("fleet.keyspace", keyspace);
        all.put("fleet.contact-points", contactPoint());
        ServerUnderTest server = stage.server(name, cpu, all);
        // It answers, FAILED, before it has connected.
        for (int i = 0; !server.admin("/health").contains(WELL); i++) {
            if (i == LOOKS_MAX) {
                throw new BenchFailure(name + " does not reach its cluster: " + server.admin("/health"));
            }
            BenchStage.rest(LOOK_NANOS);
        }
        return server;
    }

    /** Makes the tables of a fleet in a keyspace of its own, with a replica on each node. */
    void makeTables(String keyspace) {
        List<String> command = ServerUnderTest.command(
                "fleet", "schema", "--create", "--replicas", Integer.toString(nodes.size()),
                "--set", "fleet.contact-points=" + contactPoint(),
                "--set", "fleet.keyspace=" + keyspace);
        try (ChildProcess schema = ChildProcess.start("schema", cpu, folder, command)) {
            schema.finish(SCHEMA_SECONDS_MAX);
        }
    }

    String contactPoint() {
        return address.getHostString() + ":" + address.getPort();
    }

    long cpuNanos() {
        return nodes.stream().mapToLong(each -> each.meter().cpuNanos()).sum();
    }
}
