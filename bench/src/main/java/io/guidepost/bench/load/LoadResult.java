package io.guidepost.bench.load;

import io.guidepost.bench.process.ProcessMeter;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What one run of the generator saw. Requests count if they were sent inside the measured window; each of them was
 * answered, or lost after its time-out.
 *
 * @param windowNanos length of the measured window
 * @param sent requests sent inside it
 * @param replies answers that came inside it
 * @param answered answers to those requests, whenever they came
 * @param lost requests that had no answer within the time-out
 * @param stray datagrams that answer nothing awaited: late, repeated, or not ours
 * @param wrong answers with other content than the record's
 * @param missing answers that say that the name is not bound
 * @param failed answers that say FAILED
 * @param latency nanoseconds from when a request was meant to leave to its answer
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
    /** A run in which nothing was asked. */
    public static final LoadResult NOTHING =
            new LoadResult(0, 0, 0, 0, 0, 0, 0, 0, 0, new Histogram(1), 0, ProcessMeter.UNKNOWN);

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A generator that waits less than this share of its time is busy. */
    private static final double BUSY_IDLE_SHARE = 0.05;

    /** A server on one core that uses less than this share of it had time to spare. */
    private static final double SPARE_BUSY_SHARE = 0.9;

    /** Answers a second. */
    public double repliesPerSecond() {
        return replies / (windowNanos / NANOS_PER_SECOND);
    }

    /** Microseconds of the server's processors for each answer; not a number where that is unknown. */
    public double cpuMicrosPerReply() {
        return serverNanos == ProcessMeter.UNKNOWN || replies == 0 ? Double.NaN : serverNanos / 1e3 / replies;
    }

    /** Processors that the server kept busy; not a number where that is unknown. */
    public double serverBusy() {
        return serverNanos == ProcessMeter.UNKNOWN ? Double.NaN : (double) serverNanos / windowNanos;
    }

    /** Share of the time in which the generator waited for the server. */
    public double generatorIdle() {
        return (double) idleNanos / windowNanos;
    }

    /** Share of the requests that were lost. */
    public double lossShare() {
        return sent == 0 ? 0 : (double) lost / sent;
    }

    /** A quantile of the latency in microseconds, 0 if nothing was answered. */
    public double latencyMicros(double percentile) {
        return latency.getTotalCount() == 0 ? 0 : latency.getValueAtPercentile(percentile) / 1e3;
    }

    /** Longest latency in microseconds. */
    public double latencyMicrosMax() {
        return latency.getTotalCount() == 0 ? 0 : latency.getMaxValue() / 1e3;
    }

    /**
     * Whether the run measured the generator: it never waited, while the server did. Rates of such a run say nothing of
     * the server, the processor time for each answer still does.
     */
    public boolean generatorIsLimit() {
        return generatorIdle() < BUSY_IDLE_SHARE && serverBusy() < SPARE_BUSY_SHARE;
    }

    /** Whether every answer was the right one. */
    public boolean clean() {
        return wrong == 0 && missing == 0 && failed == 0;
    }
}
