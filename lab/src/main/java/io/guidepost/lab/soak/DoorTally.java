package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.ExceptionText;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** What became of the requests of one kind, and how long they were not answered. Thread-safe. */
final class DoorTally {
    private static final int DIGITS = 3;

    private final String name;
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder silent = new LongAdder();
    private final Recorder micros = new Recorder(DIGITS);
    private final Map<String, String> failures = new TreeMap<>();
    private final Histogram all = new Histogram(DIGITS);
    private long lastNanos = System.nanoTime();
    private long longestNanos;

    DoorTally(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void answered(long nanos) {
        answered.increment();
        micros.recordValue(nanos / 1000);
        synchronized (this) {
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - lastNanos);
            lastNanos = now;
        }
    }

    void refused(IOException refusal) {
        refused.increment();
        failed("refused", refusal);
    }

    void silent(IOException silence) {
        silent.increment();
        failed("silent", silence);
    }

    private synchronized void failed(String how, IOException why) {
        failures.put(how, ExceptionText.of(why));
    }

    /** Returns why the last request was not answered, or was refused. */
    synchronized Map<String, String> failures() {
        return new TreeMap<>(failures);
    }

    long answered() {
        return answered.sum();
    }

    long refusals() {
        return refused.sum();
    }

    long silences() {
        return silent.sum();
    }

    /** Begins to look for the longest time without an answer. */
    synchronized void beginEvent() {
        lastNanos = System.nanoTime();
        longestNanos = 0;
    }

    /** Returns the longest time without an answer since the event began, in milliseconds. */
    synchronized long outageMillis() {
        return Math.max(longestNanos, System.nanoTime() - lastNanos) / 1_000_000;
    }

    /** Adds the times of requests since it was called last to a histogram. */
    synchronized void addTo(Histogram together) {
        Histogram interval = micros.getIntervalHistogram();
        all.add(interval);
        together.add(interval);
    }

    /** Returns a percentile of the times of answered requests, in milliseconds; those of the last interval may be missing. */
    synchronized double percentileMillis(double percentile) {
        return all.getValueAtPercentile(percentile) / 1000.0;
    }
}
