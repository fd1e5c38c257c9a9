package io.guidepost.server.gnrs;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Value;
import io.guidepost.naming.SiteGateway;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The other servers of a deployment, by way of this server's own GNRS port: its workers know who keeps a name, and write it at a
 * quorum of them.
 */
public final class GnrsSiteGateway implements SiteGateway, AutoCloseable {
    /** Requests under way at a time; each has a socket. */
    private static final int CLIENTS_MAX = 64;

    private static final GnrsClientSettings SETTINGS = new GnrsClientSettings(2000, 3, 1);

    private final BooleanSupplier shared;
    private final Supplier<List<InetSocketAddress>> own;
    private final Semaphore room = new Semaphore(CLIENTS_MAX);
    private final ConcurrentLinkedQueue<GnrsClient> free = new ConcurrentLinkedQueue<>();

    /**
     * Creates it.
     *
     * @param shared whether there are other servers now
     * @param own where this server answers GNRS
     */
    public GnrsSiteGateway(BooleanSupplier shared, Supplier<List<InetSocketAddress>> own) {
        this.shared = shared;
        this.own = own;
    }

    @Override
    public boolean isShared() {
        return shared.getAsBoolean();
    }

    private interface Request<T> {
        T of(GnrsClient client) throws IOException;
    }

    private <T> T ask(Request<T> request) throws IOException {
        room.acquireUninterruptibly();
        GnrsClient client = null;
        try {
            client = open();
            T answer = request.of(client);
            free.add(client);
            client = null;
            return answer;
        } finally {
            room.release();
            close(client);
        }
    }

    private GnrsClient open() throws IOException {
        GnrsClient client = free.poll();
        return client == null ? GnrsClient.open(own.get().getFirst(), SETTINGS) : client;
    }

    private static void close(@Nullable GnrsClient client) throws IOException {
        if (client != null) {
            client.close();
        }
    }

    @Override
    public List<Binding> find(Guid guid) throws IOException {
        return ask(client -> client.lookup(guid, true)).bindings();
    }

    @Override
    public void write(Guid guid, boolean replace, List<Binding> bindings, List<Value> values) throws IOException {
        List<Binding> all = new ArrayList<>(bindings);
        for (Value each : values) {
            int type = (each.type().equals(PlaceAttributes.TYPE) ? Locator.Type.PLACE_ATTRIBUTES : Locator.Type.NAME_TEXT).code();
            all.add(Binding.of(new Locator(type, each.data())));
        }
        ask(client -> replace ? client.update(guid, all) : client.insert(guid, all));
    }

    @Override
    public void close() {
        for (GnrsClient client = free.poll(); client != null; client = free.poll()) {
            try {
                client.close();
            } catch (IOException e) {
                // A socket that cannot be closed is of no use to others either.
            }
        }
    }
}
