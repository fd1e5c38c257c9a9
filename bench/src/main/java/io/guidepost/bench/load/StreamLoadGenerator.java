package io.guidepost.bench.load;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A load generator over streams in a closed loop: each client has a thread and one request at a time. Time begins when all
 * clients have had a response, as a session may cost more than a thousand requests.
 */
public final class StreamLoadGenerator {
    private static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Supplier<StreamClient> clients;
    private final int count;
    private final LongSupplier serverNanos;
    private final AtomicLong numbers = new AtomicLong();

    public StreamLoadGenerator(Supplier<StreamClient> clients, int count, LongSupplier serverNanos) {
        this.clients = clients;
        this.count = count;
        this.serverNanos = serverNanos;
    }

    /** The window of a run: clients go on until its end is known and over. */
    private static final class Window {
        volatile long start = Long.MAX_VALUE;
        volatile long end = Long.MAX_VALUE;

        boolean begun(long now) {
            return start != Long.MAX_VALUE && now - start >= 0;
        }

        boolean over(long now) {
            return end != Long.MAX_VALUE && now - end >= 0;
        }
    }

    /** Results of one client. */
    private static final class Seen {
        final Histogram latency = new Histogram(1, LATENCY_NANOS_MAX, DIGITS);
        long replies;
        long lost;
        long wrong;
        long missing;
        long failed;
    }

    /** Runs a warm-up, then the measured window. */
    public LoadResult run(long warmNanos, long windowNanos) {
        List<CountDownLatch> ready = new ArrayList<>();
        Window window = new Window();
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<Seen>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                CountDownLatch responded = new CountDownLatch(1);
                ready.add(responded);
                running.add(threads.submit(() -> client(responded, window)));
            }
            for (CountDownLatch each : ready) {
                each.await();
            }
            long start = System.nanoTime() + warmNanos;
            long end = start + windowNanos;
            window.end = end;
            window.start = start;
            TimeUnit.NANOSECONDS.sleep(warmNanos);
            long cpuBefore = serverNanos.getAsLong();
            TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
            long cpuAfter = serverNanos.getAsLong();
            return tally(running, windowNanos, cpuBefore, cpuAfter);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }

    private Seen client(CountDownLatch responded, Window window) {
        Seen seen = new Seen();
        try (StreamClient talk = clients.get()) {
            for (long now = System.nanoTime(); !window.over(now); ) {
                GnrsAnswerCheck.Verdict verdict;
                try {
                    verdict = talk.ask(numbers.getAndIncrement());
                } catch (IOException e) {
                    seen.lost++;
                    return seen;
                }
                responded.countDown();
                long after = System.nanoTime();
                if (window.begun(now) && !window.over(after)) {
                    note(seen, verdict, after - now);
                }
                now = after;
            }
        } finally {
            responded.countDown();
        }
        return seen;
    }

    private static void note(Seen seen, GnrsAnswerCheck.Verdict verdict, long nanos) {
        seen.replies++;
        seen.latency.recordValue(Math.clamp(nanos, 1, LATENCY_NANOS_MAX));
        switch (verdict) {
            case RIGHT -> {}
            case MISSING -> seen.missing++;
            case FAILED -> seen.failed++;
            case WRONG -> seen.wrong++;
        }
    }

    private static LoadResult tally(List<Future<Seen>> running, long windowNanos, long cpuBefore, long cpuAfter)
            throws InterruptedException {
        Seen all = new Seen();
        for (Future<Seen> each : running) {
            try {
                Seen seen = each.get();
                all.latency.add(seen.latency);
                all.replies += seen.replies;
                all.lost += seen.lost;
                all.wrong += seen.wrong;
                all.missing += seen.missing;
                all.failed += seen.failed;
            } catch (ExecutionException e) {
                throw new BenchFailure("a client failed: " + e.getCause(), e);
            }
        }
        boolean unknown = cpuBefore == ProcessMeter.UNKNOWN || cpuAfter == ProcessMeter.UNKNOWN;
        // Clients only wait for responses, so as a whole they count as idle.
        return new LoadResult(
                windowNanos,
                all.replies + all.lost,
                all.replies,
                all.replies,
                all.lost,
                0,
                all.wrong,
                all.missing,
                all.failed,
                all.latency,
                windowNanos,
                unknown ? ProcessMeter.UNKNOWN : cpuAfter - cpuBefore);
    }
}
