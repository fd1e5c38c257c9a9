package io.guidepost.lab.prove;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One client that writes its own GUIDs through all servers in turn, and repeats what is not acknowledged. */
final class SiteWriter implements AutoCloseable {
    /** Longer than a server takes to say FAILED, so that few requests end in doubt. */
    private static final int TIMEOUT_MILLIS = 2000;

    /** A moment until what was refused is tried again: the servers need time, not more requests. */
    private static final long REST_NANOS = 20_000_000;

    private final AcknowledgedWrites ledger;
    private final List<InetSocketAddress> servers;
    private final AtomicLong done;
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray refused;
    private final Map<InetSocketAddress, GnrsClient> clients = new HashMap<>();
    private final ArrayDeque<GnrsRequest> again = new ArrayDeque<>();
    private final int batch;
    private int turn;

    /**
     * A writer.
     *
     * @param batch requests of one turn; each is about another GUID
     * @param done counts acknowledged requests, of all writers
     * @param acknowledged the same by server
     * @param refused requests not acknowledged, by server
     */
    SiteWriter(
            int number,
            int batch,
            AcknowledgedWrites ledger,
            List<InetSocketAddress> servers,
            AtomicLong done,
            AtomicLongArray acknowledged,
            AtomicLongArray refused) {
        this.turn = number;
        this.batch = batch;
        this.ledger = ledger;
        this.servers = servers;
        this.done = done;
        this.acknowledged = acknowledged;
        this.refused = refused;
    }

    /** Writes as long as more is wanted, and until all of its own is acknowledged. */
    void run(BooleanSupplier more) throws IOException {
        while (more.getAsBoolean() || !again.isEmpty()) {
            List<GnrsRequest> repeated = new ArrayList<>();
            while (!again.isEmpty() && repeated.size() < batch) {
                repeated.add(again.poll());
            }
            boolean well = send(repeated, false);
            if (more.getAsBoolean()) {
                List<GnrsRequest> fresh = new ArrayList<>();
                while (fresh.size() < batch) {
                    fresh.add(ledger.next());
                }
                well &= send(fresh, true);
            }
            if (!well) {
                LockSupport.parkNanos(REST_NANOS);
            }
            if (Thread.interrupted()) {
                throw new IOException("interrupted");
            }
        }
    }

    /** Sends requests to the next server; those that are not acknowledged are for {@link #again}. */
    private boolean send(List<GnrsRequest> requests, boolean first) {
        if (requests.isEmpty()) {
            return true;
        }
        int number = Math.floorMod(turn++, servers.size());
        Map<Guid, GnrsRequest> open = new HashMap<>();
        requests.forEach(each -> open.put(each.guid(), each));
        try {
            client(servers.get(number)).batch(requests.iterator(), answer -> {
                if (answer.outcome() == GnrsResponse.Outcome.SUCCESS) {
                    open.remove(answer.request().guid());
                    ledger.acknowledged(answer.request(), first);
                    acknowledged.incrementAndGet(number);
                    done.incrementAndGet();
                }
            });
        } catch (IOException e) {
            // The network to it is gone: what it has not acknowledged by now is in doubt.
            forget(servers.get(number));
        }
        refused.addAndGet(number, open.size());
        again.addAll(open.values());
        return open.isEmpty();
    }

    private GnrsClient client(InetSocketAddress server) throws IOException {
        GnrsClient client = clients.get(server);
        if (client == null) {
            client = GnrsClient.open(server, new GnrsClientSettings(TIMEOUT_MILLIS, 1, batch));
            clients.put(server, client);
        }
        return client;
    }

    private void forget(InetSocketAddress server) {
        @Nullable GnrsClient client = clients.remove(server);
        if (client != null) {
            close(client);
        }
    }

    private static void close(GnrsClient client) {
        try {
            client.close();
        } catch (IOException e) {
            // Its socket is of no more use either way.
        }
    }

    @Override
    public void close() {
        clients.values().forEach(SiteWriter::close);
    }
}
