package io.guidepost.server.http;

import io.guidepost.base.RateLimitedLog;
import io.guidepost.base.SharedCounters;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Requests that may wait, each on a virtual thread or for what another does, with a bound on their number. Thread-safe. */
public final class RequestExecutor implements AutoCloseable {
    private static final RateLimitedLog LOG = new RateLimitedLog(System.getLogger(RequestExecutor.class.getName()));
    private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
    private static final long LOOK_NANOS = 1_000_000;

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile int most;
    private final SharedCounters<ConnectionCounter> counts;
    private final ConnectionCounter refused;
    private final ExecutorService threads;

    /** One request that was started. */
    public final class Task implements Runnable {
        private final Runnable request;
        private @Nullable Thread thread;
        private boolean unwanted;

        private Task(Runnable request) {
            this.request = request;
        }

        @Override
        public void run() {
            try {
                begin();
                request.run();
            } catch (RuntimeException e) {
                counts.add(ConnectionCounter.CONNECTION_FAULTS);
                LOG.error("a request was not answered: " + e, e);
            } finally {
                end();
                inFlight.decrementAndGet();
            }
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
            if (unwanted) {
                thread.interrupt();
            }
        }

        private synchronized void end() {
            thread = null;
        }

        /** Cancels the request, as its client has gone: a waiting thread is interrupted. */
        synchronized void interrupt() {
            unwanted = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    RequestExecutor(String name, int most, SharedCounters<ConnectionCounter> counts, ConnectionCounter refused) {
        this.most = most;
        this.counts = counts;
        this.refused = refused;
        this.threads =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory());
    }

    /** Sets how many there may be at a time; those under way stay. */
    void atMost(int requests) {
        most = requests;
    }

    /** Returns whether there are as many as there may be. */
    boolean isFull() {
        return inFlight.get() >= most;
    }

    /** A request is under way for which no thread waits. */
    void enter() {
        inFlight.incrementAndGet();
    }

    /** One of those ended. */
    void leave() {
        inFlight.decrementAndGet();
    }

    /** Starts a request; empty if there are too many. */
    public Optional<Task> start(Runnable request) {
        if (inFlight.incrementAndGet() > most) {
            inFlight.decrementAndGet();
            counts.add(refused);
            return Optional.empty();
        }
        Task task = new Task(request);
        threads.execute(task);
        return Optional.of(task);
    }

    int inFlight() {
        return inFlight.get();
    }

    /** What is started by others for the same connections, such as the arithmetic of TLS. */
    public ExecutorService threads() {
        return threads;
    }

    /** Interrupts all requests under way, and takes no more. */
    void interrupt() {
        threads.shutdownNow();
    }

    /** Gives requests under way some time to end. */
    @Override
    public void close() {
        threads.shutdown();
        long end = System.nanoTime() + CLOSE_MAX.toNanos();
        try {
            if (!threads.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        while (inFlight() > 0 && System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
