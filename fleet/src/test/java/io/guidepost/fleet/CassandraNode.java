package io.guidepost.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A node of Apache Cassandra in a process of its own, for long tests: its jars come from Maven Central, and it runs on a JDK 17. It has
 * 512 MiB of heap, and takes some 20 s of a processor to start.
 */
public final class CassandraNode implements AutoCloseable {
    private static final long START_NANOS_MAX = 240_000_000_000L;

    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc", "java.base/jdk.internal.ref", "java.base/sun.nio.ch",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi", "java.rmi/sun.rmi.registry", "java.rmi/sun.rmi.server",
            "java.sql/java.sql", "java.base/java.lang.ref");

    private static final List<String> OPENS = List.of(
            "java.base/java.lang.module", "java.base/jdk.internal.loader", "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect", "java.base/jdk.internal.math", "java.base/jdk.internal.module",
            "java.base/jdk.internal.util.jar", "jdk.management/com.sun.management.internal", "java.base/sun.nio.ch",
            "java.base/java.io", "java.base/java.lang", "java.base/java.util", "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic", "java.base/java.nio", "java.rmi/sun.rmi.transport.tcp");

    private final Process process;
    private final InetSocketAddress address;

    private CassandraNode(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param folder an empty one, for its files and its log
     * @param root of the checkout
     */
    public static CassandraNode start(Path folder, Path root) throws IOException, InterruptedException {
        Path jars = jars(root);
        int port = freePort();
        Files.writeString(folder.resolve("cassandra.yaml"), yaml(folder, freePort(), port));
        Files.writeString(folder.resolve("logback.xml"), """
                <configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>%s/system.log</file>
                <encoder><pattern>%%-5level %%date %%logger{0} - %%msg%%n</pattern></encoder></appender>
                <root level="INFO"><appender-ref ref="F"/></root></configuration>
                """.formatted(folder));
        List<String> command = new ArrayList<>(List.of(
                java17().toString(), "-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=256m", "-Xss512k"));
        EXPORTS.forEach(each -> command.addAll(List.of("--add-exports", each + "=ALL-UNNAMED")));
        OPENS.forEach(each -> command.addAll(List.of("--add-opens", each + "=ALL-UNNAMED")));
        command.addAll(List.of(
                "-Dcassandra.config=file://" + folder.resolve("cassandra.yaml"),
                "-Dcassandra.storagedir=" + folder.resolve("data"),
                "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                "-Dcassandra.ring_delay_ms=100",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Djava.io.tmpdir=" + folder,
                "-Djna.tmpdir=" + folder,
                "-Dcassandra-foreground=yes",
                "-cp", jars + "/*",
                "org.apache.cassandra.service.CassandraDaemon"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long deadline = System.nanoTime() + START_NANOS_MAX;
        while (!answers(address)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                process.destroyForcibly();
                throw new IOException("the node did not start: " + Files.readString(folder.resolve("out")));
            }
            LockSupport.parkNanos(200_000_000);
        }
        return new CassandraNode(process, address);
    }

    private static boolean answers(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Has Maven fetch the jars, once on each machine. */
    private static Path jars(Path root) throws IOException, InterruptedException {
        Path jars = Path.of(System.getProperty("user.home"), ".cache", "guidepost", "cassandra-5.0.5");
        if (Files.exists(jars.resolve("complete"))) {
            return jars;
        }
        Files.createDirectories(jars);
        Process maven = new ProcessBuilder(
                        "mvn", "-q", "-B", "-f", root.resolve("fleet/src/test/cassandra/pom.xml").toString(),
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies",
                        "-DincludeScope=runtime", "-DoutputDirectory=" + jars)
                .inheritIO()
                .start();
        if (maven.waitFor() != 0) {
            throw new IOException("Maven did not fetch the jars of Cassandra");
        }
        Files.createFile(jars.resolve("complete"));
        return jars;
    }

    /** Returns a Java that Cassandra 5 runs on. */
    private static Path java17() throws IOException {
        try (Stream<Path> homes = Files.list(Path.of("/usr/lib/jvm"))) {
            return homes.filter(each -> is17(each.resolve("release")))
                    .map(each -> each.resolve("bin/java"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("Cassandra 5 needs a JDK 17 in /usr/lib/jvm"));
        }
    }

    private static boolean is17(Path release) {
        try {
            return Files.isReadable(release) && Files.readString(release).contains("JAVA_VERSION=\"17");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String yaml(Path folder, int storagePort, int nativePort) {
        return """
                cluster_name: test
                num_tokens: 1
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                listen_address: 127.0.0.1
                rpc_address: 127.0.0.1
                storage_port: %2$d
                native_transport_port: %3$d
                start_native_transport: true
                commitlog_sync: group
                commitlog_sync_group_window: 1ms
                commitlog_segment_size: 16MiB
                commitlog_total_space: 256MiB
                commitlog_directory: %1$s/data/commitlog
                data_file_directories: [%1$s/data/data]
                saved_caches_directory: %1$s/data/saved
                hints_directory: %1$s/data/hints
                cdc_raw_directory: %1$s/data/cdc
                endpoint_snitch: SimpleSnitch
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters:
                      - seeds: "127.0.0.1:%2$d"
                memtable_heap_space: 64MiB
                memtable_offheap_space: 64MiB
                memtable_allocation_type: offheap_objects
                storage_compatibility_mode: NONE
                file_cache_size: 64MiB
                networking_cache_size: 32MiB
                key_cache_size: 16MiB
                concurrent_reads: 8
                concurrent_writes: 16
                concurrent_compactors: 1
                authenticator: AllowAllAuthenticator
                authorizer: AllowAllAuthorizer
                auto_snapshot: false
                """.formatted(folder, storagePort, nativePort);
    }

    /** Returns where it answers CQL. */
    public InetSocketAddress address() {
        return address;
    }

    /** Stops it for a while, as a node hangs: its sockets are open, and nothing answers. */
    public void pause(boolean value) throws IOException, InterruptedException {
        new ProcessBuilder("kill", value ? "-STOP" : "-CONT", Long.toString(process.pid())).start().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
