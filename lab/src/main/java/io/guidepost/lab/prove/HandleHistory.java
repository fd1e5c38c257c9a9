package io.guidepost.lab.prove;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What clients do to handles that they share, through all front ends in turn, and what they are told: a line of JSON for each operation,
 * which {@code tools/porcupine} checks. Reads are authoritative. Each client begins an operation when its last one has ended; one that
 * was not told an outcome goes on as another client, as its operation may still be under way. Thread-safe.
 */
final class HandleHistory implements AutoCloseable {
    /** Operations on one handle: the time that checking takes grows faster than they do. */
    private static final int OF_ONE_HANDLE = 200;

    private static final long REST_NANOS = 50_000_000;

    private final List<InetSocketAddress> servers;
    private final BufferedWriter out;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger clients = new AtomicInteger();

    private enum Operation {
        CREATE, MODIFY, DELETE, READ
    }

    HandleHistory(Path file, List<InetSocketAddress> servers) throws IOException {
        this.servers = servers;
        this.out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    }

    /** Acts as one client as long as more is wanted. */
    void run(long seed, BooleanSupplier more) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int client = clients.getAndIncrement();
        int turn = client;
        @Nullable HandleClient connection = null;
        try {
            while (more.getAsBoolean()) {
                int number = begun.getAndIncrement();
                String handle = "1234/history-" + number / OF_ONE_HANDLE;
                int dice = random.nextInt(20);
                Operation operation =
                        dice < 4 ? Operation.CREATE : dice < 9 ? Operation.MODIFY : dice < 12 ? Operation.DELETE : Operation.READ;
                String value = operation == Operation.CREATE || operation == Operation.MODIFY ? "value-" + number : "";
                long from = System.nanoTime();
                String said = "unknown";
                try {
                    if (connection == null) {
                        connection = HandleCreator.client(servers.get(Math.floorMod(turn, servers.size())));
                    }
                    HandleResult result = make(connection, operation, Handle.of(handle), value);
                    said = said(result.code());
                    if (operation == Operation.READ && result.success()) {
                        value = new String(result.values().getFirst().data(), StandardCharsets.UTF_8);
                    }
                } catch (IOException e) {
                    // Its front end is away: whether the operation was made is not known.
                }
                boolean unknown = said.equals("unknown");
                if (!unknown || operation != Operation.READ) {
                    write(handle, client, operation, value, said, from, System.nanoTime());
                }
                if (unknown) {
                    if (connection != null) {
                        connection.close();
                    }
                    connection = null;
                    turn++;
                    client = clients.getAndIncrement();
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
    }

    private static HandleResult make(HandleClient client, Operation operation, Handle handle, String value) throws IOException {
        List<HandleValue> values = List.of(HandleValue.of(1, "URL", value));
        return switch (operation) {
            case CREATE -> client.create(handle, values, false, false);
            case MODIFY -> client.modify(handle, values);
            case DELETE -> client.delete(handle);
            case READ -> client.resolve(new ResolveRequest(handle, List.of(1), List.of(), true, false, false, 0, true));
        };
    }

    /** Only what says for certain that nothing was done counts as refused. */
    private static String said(ResponseCode code) {
        return switch (code) {
            case SUCCESS -> "done";
            case HANDLE_EXISTS -> "exists";
            case HANDLE_NOT_FOUND -> "missing";
            default -> "unknown";
        };
    }

    private synchronized void write(
            String handle, int client, Operation operation, String value, String said, long begin, long end) throws IOException {
        out.write(JsonWriter.line(JsonWriter.object(
                "handle", handle,
                "client", client,
                "do", operation.name().toLowerCase(Locale.ROOT),
                "value", value,
                "said", said,
                "begin", begin,
                "end", end)));
        out.newLine();
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
