package io.guidepost.dns;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;

/** A task between two changes: the committer has told observers of all that was durable before. */
public final class CommitterTask {
    private CommitterTask() {}

    /**
     * Runs a task on the committer's thread, and waits for it.
     *
     * @throws IOException if the store takes no more, or is closing
     */
    public static void run(RecordStore store, Runnable task) throws IOException {
        CountDownLatch passed = new CountDownLatch(1);
        boolean taken = store.barrier((_, _) -> {
            task.run();
            passed.countDown();
        });
        if (!taken) {
            throw new IOException("the store is too busy");
        }
        try {
            passed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the zone was read");
        }
    }
}
