package io.guidepost.proximity.ranking;

import io.guidepost.proximity.topology.OperatorNetwork;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A network that changes while it is asked: changes are made one after the other, and soon after, at most so often as the
 * work allows, a new {@link Ranking} takes the place of the last at once. Nobody who asks waits, and nobody sees half of a
 * change. Thread-safe.
 */
public final class LiveNetwork implements AutoCloseable {
    /** After a snapshot the next one is made no sooner than after so many times the time that it took. */
    private static final int REST = 2;

    /** A feed that is silent for so long has told all it knows. */
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

    /** An empty network; a thread of its own makes the snapshots. */
    public LiveNetwork() {
        publisher = Thread.ofPlatform().daemon(true).name("guidepost-ranking").start(this::publish);
    }

    /** The snapshot in force. When changes stop, another one of the same version may follow that says the same, faster. */
    public Ranking current() {
        return current;
    }

    /** Changes the network; what follows from it is in force soon after. */
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

    /** Looks at the network between two changes; nothing of it that may change is to be kept. */
    public <T> T read(Function<OperatorNetwork, T> look) {
        lock.lock();
        try {
            return look.apply(network);
        } finally {
            lock.unlock();
        }
    }

    /** Puts another network in place of all that there is; what follows from it is in force soon after. */
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

    /** Calls back with each new snapshot, on the thread that makes them; must be quick. */
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
            // Also after an error: nobody must wait for what will not come.
            closed = true;
            moved.signalAll();
            lock.unlock();
        }
    }

    /** Makes a snapshot while others change the network, and puts it in force. */
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

    /** Waits for a change; when none comes for a while, the snapshot is made faster to read. */
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

    /** No more snapshots are made; the last stays in force. */
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
