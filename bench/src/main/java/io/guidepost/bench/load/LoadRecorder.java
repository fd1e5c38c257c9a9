package io.guidepost.bench.load;

import io.guidepost.bench.process.ProcessMeter;
import org.HdrHistogram.Histogram;

/** Records what happens in the measured window of one run, and ignores everything outside of it. For one thread. */
final class LoadRecorder {
    /** Largest distinguished latency: a minute. */
    private static final long LATENCY_NANOS_MAX = 60_000_000_000L;

    private static final int DIGITS = 3;

    public final long startNanos;
    public final long endNanos;
    public long stray;
    private final Histogram latency = new Histogram(1, LATENCY_NANOS_MAX, DIGITS);
    private long sent;
    private long replies;
    private long answered;
    private long lost;
    private long wrong;
    private long missing;
    private long failed;
    private long idleNanos;
    private long lastTurnNanos;

    /** Creates a window between two times; one that begins at {@link Long#MAX_VALUE} records nothing. */
    public LoadRecorder(long startNanos, long endNanos) {
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        this.lastTurnNanos = startNanos;
    }

    private boolean covers(long nanos) {
        return nanos >= startNanos && nanos < endNanos;
    }

    /** Records a turn that moved a number of packets; the time since the last turn was idle if it moved none. */
    public void turn(long nowNanos, int moved) {
        if (moved == 0 && covers(nowNanos)) {
            idleNanos += nowNanos - lastTurnNanos;
        }
        lastTurnNanos = nowNanos;
    }

    public void sent(long nowNanos, int requests) {
        if (covers(nowNanos)) {
            sent += requests;
        }
    }

    public void answered(GnrsAnswerCheck.Verdict verdict, long intendedNanos, long sentNanos, long nowNanos) {
        if (covers(nowNanos)) {
            replies++;
        }
        if (covers(sentNanos)) {
            answered++;
            latency.recordValue(Math.clamp(nowNanos - intendedNanos, 1, LATENCY_NANOS_MAX));
            switch (verdict) {
                case RIGHT -> {}
                case MISSING -> missing++;
                case FAILED -> failed++;
                case WRONG -> wrong++;
            }
        }
    }

    public void lost(long sentNanos) {
        if (covers(sentNanos)) {
            lost++;
        }
    }

    /** Returns the result. */
    public LoadResult tally(long windowNanos, long cpuBefore, long cpuAfter) {
        long cpu = cpuBefore == ProcessMeter.UNKNOWN || cpuAfter == ProcessMeter.UNKNOWN
                ? ProcessMeter.UNKNOWN
                : cpuAfter - cpuBefore;
        return new LoadResult(
                windowNanos, sent, replies, answered, lost, stray, wrong, missing, failed, latency, idleNanos, cpu);
    }
}
