package io.guidepost.proximity.ranking;

import io.guidepost.proximity.topology.OperatorNetwork;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A network that changes while it is used: changes are applied in order, and soon after, as often as the work allows, a
 * new {@link Ranking} replaces the last one atomically. Readers never wait, and never see half of a change.
 * Thread-safe.
 */
public final class LiveNetwork implements AutoCloseable {
    /** Pause after a snapshot, in multiples of the time that it took. */
    private static final int REST = 2;

    /** Silence after which a feed is taken to be complete. */
    private static final long SETTLE_NANOS = 1_000_000_000L;

    private final List<Consumer<Ranking>> listeners = new CopyOnWriteArrayList<>();
    private final Thread publisher;
    private OperatorNetwork network = new OperatorNetwork();
    private RankingFunction function = RankingFunction.STANDARD;
    private long wanted;
    private long done;
    private boolean closed;
    private volatile Ranking current = Ranking.EMPTY;
    private Ranking settled = Ranking.EMPTY;

    /** Creates an empty network with a thread that builds the snapshots. */
    public LiveNetwork() {
        publisher = Thread.ofPlatform().daemon(true).name("guidepost-ranking").start(this::publish);
    }

    /**
     * Returns the snapshot in force. When changes stop, an equal snapshot of the same version may follow that is faster
     * to read.
     */
    public Ranking current() {
        return current;
    }

    /**
     * A change of the network.
     *
     * @param <X> thrown if it is refused; then it must have changed nothing
     */
    @FunctionalInterface
    public interface Change<X extends Exception> {
        /** Changes the network. */
        void apply(OperatorNetwork network) throws X;
    }

    /** Changes the network; the next snapshot, soon after, has the change. */
    public synchronized <X extends Exception> void change(Change<X> change) throws X {
        change.apply(network);
        wanted++;
        notifyAll();
    }

    /** Reads the network between two changes; the function must not keep mutable parts of it. */
    public synchronized <T> T read(Function<OperatorNetwork, T> look) {
        return look.apply(network);
    }

    /** Replaces the whole network; the next snapshot, soon after, is of the new one. */
    public synchronized void replace(OperatorNetwork next, RankingFunction by) {
        network = next;
        function = by;
        wanted++;
        notifyAll();
    }

    /** Waits until all changes made so far are in force. */
    public synchronized Ranking settle() throws InterruptedException {
        long upTo = wanted;
        while (done < upTo && !closed) {
            wait();
        }
        return current;
    }

    /** Registers a callback for each new snapshot, on the thread that builds them; it must be quick. */
    public void onPublished(Consumer<Ranking> listener) {
        listeners.add(listener);
    }

    private void publish() {
        try {
            while (awaitChange()) {
                long begun = System.nanoTime();
                long upTo;
                Ranking.Draft draft;
                synchronized (this) {
                    upTo = wanted;
                    draft = current.draft(network, function);
                }
                // The network may change while the snapshot is built.
                Ranking next = draft.make();
                current = next;
                listeners.forEach(each -> each.accept(next));
                done(upTo);
                rest(REST * (System.nanoTime() - begun));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Also after an error, so that no thread waits for a snapshot that will not come.
            end();
        }
    }

    private synchronized void done(long upTo) {
        done = upTo;
        notifyAll();
    }

    /**
     * Waits for a change, and returns whether one came before the end; after a while without one, replaces the snapshot
     * by one that is faster to read.
     */
    private boolean awaitChange() throws InterruptedException {
        while (isQuiet()) {
            settled = current.settled();
            current = settled;
        }
        return !isClosed();
    }

    /** Waits for a change or the end; returns whether neither came for a while, and the snapshot can be made faster. */
    private synchronized boolean isQuiet() throws InterruptedException {
        long until = System.nanoTime() + SETTLE_NANOS;
        while (done == wanted && !closed) {
            long left = until - System.nanoTime();
            if (settled == current) {
                wait();
            } else if (left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } else {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void rest(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private synchronized void end() {
        closed = true;
        notifyAll();
    }

    /** Stops building snapshots; the last stays in force. */
    @Override
    public void close() {
        end();
        publisher.interrupt();
    }
}
