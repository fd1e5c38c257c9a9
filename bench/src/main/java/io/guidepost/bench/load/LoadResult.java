package io.guidepost.bench.load;

import io.guidepost.bench.process.ProcessMeter;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The result of one run of a generator. Requests count if they were sent inside the measured window; each of them was
 * answered, or lost after its time-out.
 *
 * @param windowNanos length of the measured window
 * @param sent requests sent inside it
 * @param replies responses received inside it
 * @param answered responses to those requests, whenever they came
 * @param lost requests without a response before the time-out
 * @param stray unexpected datagrams: late, repeated, or of others
 * @param wrong responses with other content than the record's
 * @param missing responses for an unbound name
 * @param failed responses with FAILED
 * @param latency nanoseconds from when a request was meant to leave to its response
 * @param idleNanos time in which the generator had nothing to send and nothing came
 * @param serverNanos processor time of the server inside the window, or {@link ProcessMeter#UNKNOWN}
 */
public record LoadResult(
        long windowNanos,
        long sent,
        long replies,
        long answered,
        long lost,
        long stray,
        long wrong,
        long missing,
        long failed,
        Histogram latency,
        long idleNanos,
        long serverNanos) {
    /** A run without requests. */
    public static final LoadResult NOTHING =
            new LoadResult(0, 0, 0, 0, 0, 0, 0, 0, 0, new Histogram(1), 0, ProcessMeter.UNKNOWN);

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A generator with less idle time than this share is busy. */
    private static final double BUSY_IDLE_SHARE = 0.05;

    /** A server on one core that uses less than this share of it has spare time. */
    private static final double SPARE_BUSY_SHARE = 0.9;

    /** Returns the responses per second. */
    public double repliesPerSecond() {
        return replies / (windowNanos / NANOS_PER_SECOND);
    }

    /** Returns the server's processor time per response in microseconds; NaN if unknown. */
    public double cpuMicrosPerReply() {
        return serverNanos == ProcessMeter.UNKNOWN || replies == 0 ? Double.NaN : serverNanos / 1e3 / replies;
    }

    /** Returns the processors that the server kept busy; NaN if unknown. */
    public double serverBusy() {
        return serverNanos == ProcessMeter.UNKNOWN ? Double.NaN : (double) serverNanos / windowNanos;
    }

    /** Returns the share of the time in which the generator waited for the server. */
    public double generatorIdle() {
        return (double) idleNanos / windowNanos;
    }

    /** Returns the share of lost requests. */
    public double lossShare() {
        return sent == 0 ? 0 : (double) lost / sent;
    }

    /** Returns a quantile of the latency in microseconds; NaN without responses. */
    public double latencyMicros(double percentile) {
        return latency.getTotalCount() == 0 ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e3;
    }

    /** Returns the longest latency in microseconds. */
    public double latencyMicrosMax() {
        return latency.getTotalCount() == 0 ? Double.NaN : latency.getMaxValue() / 1e3;
    }

    /**
     * Returns whether the generator was the bottleneck: it never waited, while the server did. The rate of such a run
     * says nothing about the server, the processor time per response still does.
     */
    public boolean generatorIsLimit() {
        return generatorIdle() < BUSY_IDLE_SHARE && serverBusy() < SPARE_BUSY_SHARE;
    }

    /** Returns whether every response was the expected one. */
    public boolean clean() {
        return wrong == 0 && missing == 0 && failed == 0;
    }
}
