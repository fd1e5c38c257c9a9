package io.guidepost.fleet;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a front end whose cluster has not answered since the start. A thread connects again and again; until it has, each
 * statement fails at once and was not made.
 */
final class DeferredCql implements Cql {
    private final Connector connector;
    private final CompletableFuture<Cql> first = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile String reason = "no node of the cluster has answered yet";
    private volatile @Nullable Cql connected;
    private boolean closed;

    /** Connects to a cluster. */
    @FunctionalInterface
    interface Connector {
        /**
         * Connects; may wait.
         *
         * @throws ClusterException if the cluster does not answer
         * @throws IOException in one line, if it answers, and will not do as it is
         */
        Cql connect() throws IOException;
    }

    private DeferredCql(Connector connector) {
        this.connector = connector;
        this.thread = Thread.ofVirtual().name("fleet-connect").start(this::connect);
    }

    /**
     * Connects, and waits for the first attempt for a while.
     *
     * @throws IOException if the cluster answers that attempt, and will not do as it is
     */
    @SuppressWarnings("MustBeClosedChecker") // The caller closes what is returned.
    static Cql open(Connector connector, long waitMillis) throws IOException {
        DeferredCql deferred = new DeferredCql(connector);
        try {
            return deferred.first.get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return deferred;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ClusterException) {
                return deferred;
            }
            deferred.close();
            throw e.getCause() instanceof IOException wrong ? wrong : new IOException(e.getCause());
        } catch (InterruptedException e) {
            deferred.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the cluster", e);
        }
    }

    private void connect() {
        while (true) {
            try {
                Cql made = connector.connect();
                synchronized (this) {
                    if (closed) {
                        made.close();
                    } else {
                        connected = made;
                        first.complete(made);
                    }
                }
                return;
            } catch (IOException | RuntimeException e) {
                reason = String.valueOf(e.getMessage());
                first.completeExceptionally(e);
            }
            try {
                if (ended.await(FleetLimits.PROBE_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Cql cql() throws ClusterException {
        Cql cql = connected;
        if (cql == null) {
            throw new ClusterException(reason, false);
        }
        return cql;
    }

    @Override
    public String away() {
        return connected == null ? reason : "";
    }

    @Override
    public @Nullable RecordRow read(byte[] key, boolean serial) throws ClusterException {
        return cql().read(key, serial);
    }

    @Override
    public PlaceCells places(byte[] key) throws ClusterException {
        return cql().places(key);
    }

    @Override
    public RowAndPlaces readBoth(byte[] key, boolean serial) throws ClusterException {
        return cql().readBoth(key, serial);
    }

    @Override
    public void merge(byte[] key, PlaceCells places) throws ClusterException {
        cql().merge(key, places);
    }

    @Override
    public boolean compareAndSet(byte[] key, long expected, RecordRow next, int ttlSeconds) throws ClusterException {
        return cql().compareAndSet(key, expected, next, ttlSeconds);
    }

    @Override
    public void settle(byte[] key, long version, int ttlSeconds) throws ClusterException {
        cql().settle(key, version, ttlSeconds);
    }

    @Override
    public void list(byte[] key, ListedBy by, long stamp, int ttlSeconds) throws ClusterException {
        cql().list(key, by, stamp, ttlSeconds);
    }

    @Override
    public void unlist(byte[] key, ListedBy by, long stamp) throws ClusterException {
        cql().unlist(key, by, stamp);
    }

    @Override
    public List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException {
        return cql().listed(bucket, from, most);
    }

    @Override
    public void close() {
        Cql cql;
        synchronized (this) {
            closed = true;
            cql = connected;
        }
        ended.countDown();
        // It may be in the middle of an attempt.
        thread.interrupt();
        if (cql != null) {
            cql.close();
        }
    }
}
