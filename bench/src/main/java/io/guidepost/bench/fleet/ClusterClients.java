package io.guidepost.bench.fleet;

import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.fleet.FleetSettings;
import io.guidepost.fleet.FleetStore;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.KnownReplace;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients of a cluster in a process of its own, each of which begins an operation when its last has ended. A line on a connection says
 * what they do, and the line that comes back what came of it:
 *
 * <pre>
 *  > OPERATION records most nanos        until as many have begun, or the time is over; the record is the number of the operation
 *                                        modulo records, 0 = as it is
 *  &lt; done failed nanos cpuNanos
 * </pre>
 */
final class ClusterClients {
    /** A cluster that is away would fail each operation at once. */
    private static final int FAILED_MAX = 1000;

    private final Operations operations;
    private final int clients;
    private final AtomicLong next = new AtomicLong();

    /** What is done with a record. */
    enum Operation {
        /** A name is read. */
        MISS,
        /** A place is merged into a name: those of even numbers get one more, of others it replaces all that are there. */
        MERGE,
        /** A place is merged into a name, as guidepost fleet import does. */
        IMPORT,
        /** A record is made if there is none. */
        CREATE
    }

    /** Asks a cluster, by the bare driver or through a store. */
    interface Operations {
        /** Begins with an operation; the stage fails if it is not done. */
        CompletionStage<?> begin(Operation operation, long record);
    }

    private ClusterClients(Operations operations, int clients) {
        this.operations = operations;
        this.clients = clients;
    }

    /**
     * Runs the clients until the process is ended.
     *
     * @param arguments {@code driver} or {@code store}, host and port of the cluster, keyspace, port to listen at, number of clients
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        InetSocketAddress cluster = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Operations operations =
                arguments[0].equals("driver") ? new DriverOperations(cluster, arguments[3]) : store(cluster, arguments[3]);
        ClusterClients clients = new ClusterClients(operations, Integer.parseInt(arguments[5]));
        try (ServerSocket door = new ServerSocket(Integer.parseInt(arguments[4]), 1, InetAddress.getLoopbackAddress())) {
            while (true) {
                try (Socket socket = door.accept();
                        Scanner in = new Scanner(socket.getInputStream(), StandardCharsets.UTF_8);
                        PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
                    // A connection without a line only asks whether the clients are there.
                    if (in.hasNext()) {
                        out.println(clients.play(Operation.valueOf(in.next()), in.nextLong(), in.nextLong(), in.nextLong()));
                    }
                }
            }
        }
    }

    /** Returns the store of a front end, which makes records as a door has it make them. */
    @SuppressWarnings("MustBeClosedChecker") // The process ends with it.
    private static Operations store(InetSocketAddress cluster, String keyspace) throws IOException {
        FleetSettings settings = new FleetSettings(
                List.of(cluster), keyspace, "", "", Optional.empty(), FleetSettings.Consistency.LOCAL_QUORUM, 1000, 0);
        FleetStore store = FleetStore.open(settings, StoreOptions.inMemory(), CacheInvalidations.NONE);
        return (_, record) -> {
            CompletableFuture<Long> made = new CompletableFuture<>();
            byte[] key = DriverOperations.handle(record);
            boolean taken = store.submit(key, new KnownReplace(null, DriverOperations.image(key)), (outcome, version) -> {
                if (outcome == RecordStore.Outcome.DONE) {
                    made.complete(version);
                } else {
                    made.completeExceptionally(new IllegalStateException("the record was not made: " + outcome));
                }
            });
            return taken ? made : CompletableFuture.failedStage(new IllegalStateException("the queue is full"));
        };
    }

    private String play(Operation operation, long records, long most, long nanos) throws InterruptedException {
        ProcessMeter meter = new ProcessMeter(ProcessHandle.current().pid());
        Round round = new Round(operation, records, next.get() + most);
        long cpu = meter.cpuNanos();
        long from = System.nanoTime();
        for (int i = 0; i < clients; i++) {
            round.step();
        }
        round.ended.await(nanos, TimeUnit.NANOSECONDS);
        String result = round.done.sum() + " " + round.failed.sum() + " " + (System.nanoTime() - from) + " " + (meter.cpuNanos() - cpu);
        round.end = 0;
        round.ended.await();
        return result;
    }

    /** What all clients do. */
    private final class Round {
        private final Operation operation;
        private final long records;
        private final LongAdder done = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final CountDownLatch ended = new CountDownLatch(clients);
        private volatile long end;

        Round(Operation operation, long records, long end) {
            this.operation = operation;
            this.records = records;
            this.end = end;
        }

        void step() {
            if (next.get() >= end || failed.sum() >= FAILED_MAX) {
                ended.countDown();
                return;
            }
            long number = next.getAndIncrement();
            operations.begin(operation, records == 0 ? number : number % records).whenComplete((_, failure) -> {
                (failure == null ? done : failed).increment();
                step();
            });
        }
    }
}
