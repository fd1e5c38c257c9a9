package io.guidepost.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A node of Apache Cassandra in a process of its own, for long tests: see {@code fleet/src/test/cassandra/node.sh}. */
public final class CassandraNode implements AutoCloseable {
    private static final long START_NANOS_MAX = 240_000_000_000L;

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
    public static CassandraNode start(Path folder, Path root) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        Process process = new ProcessBuilder(
                        root.resolve("fleet/src/test/cassandra/node.sh").toString(), folder.toString(), "127.0.0.1",
                        Integer.toString(freePort()), Integer.toString(address.getPort()), "127.0.0.1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
