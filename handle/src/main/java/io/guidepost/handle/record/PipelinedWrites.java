package io.guidepost.handle.record;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Submits changes to the store without waiting for each (pipelining), and keeps their order. For one thread. */
public final class PipelinedWrites {
    /** Changes in flight: some groups of the store, so that it never waits for the network. */
    public static final int USUAL_MAX = 8192;

    private static final long SECONDS_MAX = 60;
    private static final int FULL_MILLIS = 1;

    private final RecordStore store;
    private final int underWayMax;
    private final Semaphore room;
    private volatile boolean failed;

    /** Creates it over a store, for a number of changes in flight at a time. */
    public PipelinedWrites(RecordStore store, int underWayMax) {
        this.store = store;
        this.underWayMax = underWayMax;
        this.room = new Semaphore(underWayMax);
    }

    /**
     * Submits a change.
     *
     * @throws IOException if the store refuses it, or has refused an earlier one
     */
    public void submit(byte[] key, RecordStore.Replace change) throws IOException {
        submit(key, change, (_, _) -> {});
    }

    /** Submits a change, whose completion is also told; see {@link #submit(byte[], RecordStore.Replace)}. */
    public void submit(byte[] key, RecordStore.Replace change, RecordStore.Completion completion) throws IOException {
        acquire(1);
        RecordStore.Completion both = (outcome, version) -> {
            completion.complete(outcome, version);
            failed |= outcome == RecordStore.Outcome.FAILED;
            room.release();
        };
        while (!store.submit(key, change, both)) {
            pause();
        }
        if (failed) {
            throw refused();
        }
    }

    /**
     * Waits until all submitted changes are durable.
     *
     * @throws IOException if the store has refused any of it
     */
    public void settle() throws IOException {
        acquire(underWayMax);
        room.release(underWayMax);
        if (failed) {
            throw refused();
        }
    }

    private IOException refused() {
        String trouble = store.status().trouble();
        return new IOException(trouble.isEmpty() ? "the store refused a change" : trouble);
    }

    private void acquire(int permits) throws IOException {
        try {
            if (!room.tryAcquire(permits, SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("the disk has not answered for " + SECONDS_MAX + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the disk", e);
        }
    }

    /** Waits briefly: the store's queue is full of other writers' changes. */
    private static void pause() throws IOException {
        LockSupport.parkNanos(FULL_MILLIS * 1_000_000L);
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted while waiting for the store");
        }
    }
}
