package io.guidepost.server.handle;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Requests that may wait: each on a virtual thread, so many at a time at most. Thread-safe. */
final class Work implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Work.class.getName());
    private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

    private final int most;
    private final Semaphore places;
    private final HostCounts counts;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("handle-", 0).factory());

    Work(int most, HostCounts counts) {
        this.most = most;
        this.places = new Semaphore(most);
        this.counts = counts;
    }

    /** Starts a request; false if there are too many. */
    boolean start(Runnable request) {
        if (!places.tryAcquire()) {
            counts.add(HostCount.BUSY);
            return false;
        }
        threads.execute(() -> {
            try {
                request.run();
            } catch (RuntimeException e) {
                counts.add(HostCount.FAULTS);
                LOG.log(Logger.Level.ERROR, "a request was not answered: " + e, e);
            } finally {
                places.release();
            }
        });
        return true;
    }

    /** Requests under way. */
    int inFlight() {
        return most - places.availablePermits();
    }

    /** What is started by others for the same connections, such as the arithmetic of TLS. */
    ExecutorService threads() {
        return threads;
    }

    /** Gives requests under way some time to end. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
