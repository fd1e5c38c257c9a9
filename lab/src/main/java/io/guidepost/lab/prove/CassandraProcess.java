package io.guidepost.lab.prove;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A node of Apache Cassandra, in a process of its own that can be killed and started again. Its script is that of the fleet's tests. */
final class CassandraProcess implements FleetMember {
    static final int CQL_PORT = 9042;

    private static final Path SCRIPT = Path.of("fleet", "src", "test", "cassandra", "node.sh");
    private static final String STORAGE_PORT = "7000";
    private static final long START_SECONDS_MAX = 300;
    private static final long LOOK_NANOS = 100_000_000;

    private final String name;
    private final InetAddress host;
    private final InetAddress seed;
    private final Path folder;
    private @Nullable Process process;

    /**
     * A node that does not run yet.
     *
     * @param seed address of the first node of its cluster
     * @param folder of its files, which is made
     */
    CassandraProcess(String name, InetAddress host, InetAddress seed, Path folder) {
        this.name = name;
        this.host = host;
        this.seed = seed;
        this.folder = folder.resolve(name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public InetAddress host() {
        return host;
    }

    @Override
    public long start() throws IOException {
        if (!Files.isExecutable(SCRIPT)) {
            throw new IOException("there is no " + SCRIPT + " here: run this in the folder of the checkout");
        }
        Files.createDirectories(folder);
        Path said = folder.resolve("out");
        long began = System.nanoTime();
        Process started = new ProcessBuilder(List.of(
                        SCRIPT.toString(), folder.toString(), host.getHostAddress(), STORAGE_PORT, Integer.toString(CQL_PORT),
                        seed.getHostAddress()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
        process = started;
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - began > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX)) {
                started.destroyForcibly();
                throw new IOException(name + " did not start; it said: " + Files.readString(said, StandardCharsets.UTF_8).strip());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, CQL_PORT), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process.pid();
    }

    @Override
    public void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Ends it: what it keeps is of no more use. */
    @Override
    public void close() {
        kill();
    }
}
