package io.guidepost.bench.fleet;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The process of {@link ClusterClients}. */
final class ClientsProcess implements AutoCloseable {
    private static final long LOAD_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    private static final int LOADS_MAX = 20;

    private final ChildProcess child;
    private final InetSocketAddress door;

    private ClientsProcess(ChildProcess child, InetSocketAddress door) {
        this.child = child;
        this.door = door;
    }

    /**
     * Starts it, and waits until it has connected to the cluster.
     *
     * @param way {@code driver} or {@code store}
     * @param clients operations at a time
     */
    static ClientsProcess start(BenchStage stage, CassandraUnderTest cluster, String way, String keyspace, int clients) {
        InetSocketAddress door = new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeTcpPort());
        List<String> command = new ArrayList<>(ServerUnderTest.java(ClusterClients.class.getName()));
        command.addAll(List.of(
                way, cluster.address().getHostString(), Integer.toString(cluster.address().getPort()), keyspace,
                Integer.toString(door.getPort()), Integer.toString(clients)));
        ChildProcess child = stage.keep(ChildProcess.start("clients", cluster.cpu(), stage.folder(), command));
        CassandraUnderTest.awaitAnswer(child, door);
        return new ClientsProcess(child, door);
    }

    /** A cluster that has just started lets some statements time out: all names are written again until all are acknowledged. */
    void load(int count) {
        for (int i = 0; run(ClusterClients.Operation.MERGE, count, count, LOAD_NANOS_MAX).replies() < count; i++) {
            if (i == LOADS_MAX) {
                throw new BenchFailure("the cluster did not acknowledge all of " + count + " names of the bare driver");
            }
        }
    }

    /** Runs all clients, see {@link ClusterClients}. */
    LoadResult run(ClusterClients.Operation operation, int of, long most, long nanos) {
        try (Socket socket = new Socket(door.getAddress(), door.getPort());
                PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                Scanner in = new Scanner(socket.getInputStream(), StandardCharsets.UTF_8)) {
            out.println(operation + " " + of + " " + most + " " + nanos);
            long done = in.nextLong();
            long failed = in.nextLong();
            return result(in.nextLong(), done, failed, in.nextLong());
        } catch (IOException | NoSuchElementException e) {
            throw child.failed("did not say what it did");
        }
    }

    static LoadResult result(long nanos, long done, long failed, long cpuNanos) {
        return new LoadResult(nanos, done, done, done, 0, 0, 0, 0, failed, new Histogram(1), nanos, cpuNanos);
    }

    long cpuNanos() {
        return child.meter().cpuNanos();
    }

    @Override
    public void close() {
        child.close();
    }
}
