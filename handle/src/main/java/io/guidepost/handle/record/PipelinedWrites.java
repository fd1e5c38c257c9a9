package io.guidepost.handle.replication;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Submits changes to the store without waiting for each (pipelining), and keeps their order. For one thread. */
final class PipelinedWrites {
    /** Changes in flight: some groups of the store, so that it never waits for the network. */
    private static final int ON_THE_WAY_MAX = 8192;

    private static final long SECONDS_MAX = 60;
    private static final int FULL_MILLIS = 1;

    private final RecordStore store;
    private final Semaphore room = new Semaphore(ON_THE_WAY_MAX);
    private volatile boolean failed;

    PipelinedWrites(RecordStore store) {
        this.store = store;
    }

    /**
     * Submits a change.
     *
     * @throws IOException if the store refuses it, or has refused an earlier one
     */
    void submit(byte[] key, RecordStore.Change change) throws IOException {
        acquire(1);
        while (!store.submit(key, change, this::done)) {
            pause();
        }
        if (failed) {
            throw refused();
        }
    }

    private void done(RecordStore.Outcome outcome, long version) {
        failed |= outcome == RecordStore.Outcome.FAILED;
        room.release();
    }

    /**
     * Waits until all submitted changes are durable.
     *
     * @throws IOException if the store has refused any of it
     */
    void settle() throws IOException {
        acquire(ON_THE_WAY_MAX);
        room.release(ON_THE_WAY_MAX);
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
