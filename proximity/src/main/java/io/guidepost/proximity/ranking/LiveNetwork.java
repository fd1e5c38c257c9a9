package io.guidepost.proximity.ranking;

import io.guidepost.proximity.topology.OperatorNetwork;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
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

    /** Changes the network; the next snapshot, soon after, has the change. */
    public void change(Consumer<OperatorNetwork> change) {
        lock.lock();
        try {
            change.accept(network);
            wanted++;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Reads the network between two changes; the function must not keep mutable parts of it. */
    public <T> T read(Function<OperatorNetwork, T> look) {
        lock.lock();
        try {
            return look.apply(network);
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the whole network; the next snapshot, soon after, is of the new one. */
    public void replace(OperatorNetwork next, RankingFunction by) {
        lock.lock();
        try {
            network = next;
            function = by;
            wanted++;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all changes made so far are in force. */
    public Ranking settle() throws InterruptedException {
        lock.lock();
        try {
            long upTo = wanted;
            while (done < upTo && !closed) {
                moved.await();
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Registers a callback for each new snapshot, on the thread that builds them; it must be quick. */
    public void onPublished(Consumer<Ranking> listener) {
        listeners.add(listener);
    }

    private void publish() {
        lock.lock();
        try {
            while (!closed) {
                awaitChange();
                if (closed) {
                    return;
                }
                long begun = System.nanoTime();
                long upTo = wanted;
                publish(current.draft(network, function));
                done = upTo;
                moved.signalAll();
                rest(REST * (System.nanoTime() - begun));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Also after an error, so that no thread waits for a snapshot that will not come.
            closed = true;
            moved.signalAll();
            lock.unlock();
        }
    }

    /** Builds a snapshot while the network may change, and puts it in force. */
    private void publish(Ranking.Draft draft) {
        lock.unlock();
        try {
            Ranking next = draft.make();
            current = next;
            listeners.forEach(each -> each.accept(next));
        } finally {
            lock.lock();
        }
    }

    /** Waits for a change; after a while without one, replaces the snapshot by one that is faster to read. */
    private void awaitChange() throws InterruptedException {
        long left = SETTLE_NANOS;
        while (done == wanted && !closed) {
            if (settled == current) {
                moved.await();
            } else if (left > 0) {
                left = moved.awaitNanos(left);
            } else {
                settleDown();
            }
        }
    }

    private void settleDown() {
        lock.unlock();
        try {
            settled = current.settled();
            current = settled;
        } finally {
            lock.lock();
        }
    }

    private void rest(long nanos) throws InterruptedException {
        long left = nanos;
        while (left > 0 && !closed) {
            left = moved.awaitNanos(left);
        }
    }

    /** Stops building snapshots; the last stays in force. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        publisher.interrupt();
    }
}
