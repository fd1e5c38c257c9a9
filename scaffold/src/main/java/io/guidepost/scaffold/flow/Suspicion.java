package io.guidepost.scaffold.flow;

/**
 * Whether a silent host is suspected: by round trips that were measured (as in RFC 6298), only while something is expected of
 * it, and never because this process itself was late. Three probes without an answer are a verdict. Times in nanoseconds.
 */
final class Suspicion {
    /** Probes without an answer after which a host counts as dead. */
    static final int MISSES_MAX = 3;

    private static final long LEAST_NANOS = 5 * LocalHost.MILLI;
    private static final long FIRST_NANOS = 25 * LocalHost.MILLI;
    private static final long MOST_NANOS = 1_000 * LocalHost.MILLI;
    private static final int WAY_BITS = 8;

    /** Round trips that are measured soon, and each as much as the others; later ones now and then. */
    private static final int FIRST_SAMPLES = 8;

    private static final long FIRST_SAMPLE_NANOS = 50 * LocalHost.MILLI;
    private static final long SAMPLE_NANOS = 10_000 * LocalHost.MILLI;

    private double smoothed = -1;
    private double deviation;
    private int samples;
    private long heardNanos;
    private long waitsSinceNanos;
    private boolean waits;
    private long probedNanos;
    private int misses;
    private int probes;
    private int quiet;

    /** What is to be done about a host. */
    enum Verdict {
        /** Nothing. */
        NONE,
        /** To ask whether it is there, as a round trip is to be measured: it is not suspected. */
        MEASURE,
        /** To ask by every path whether it is there, as it is suspected. */
        PROBE,
        /** It is dead, or no path leads to it. */
        DEAD
    }

    /** Something came from the host that shows that it is there. */
    void heard(long nowNanos) {
        heardNanos = nowNanos;
        waits = false;
        misses = 0;
        quiet = 0;
    }

    /** Something was sent that will be answered. */
    void sent(long nowNanos) {
        if (!waits) {
            waits = true;
            waitsSinceNanos = nowNanos;
        }
    }

    /** Returns the number of a probe of a path: which round of probes it is of stands in it. */
    long nonce(int way, int locator) {
        return (long) probes << 2 * WAY_BITS | (long) way << WAY_BITS | locator;
    }

    static int way(long nonce) {
        return (int) (nonce >>> WAY_BITS) & 0xff;
    }

    static int locator(long nonce) {
        return (int) nonce & 0xff;
    }

    /** Returns whether an answer is to the latest probes. */
    boolean isLatest(long nonce) {
        return nonce >>> 2 * WAY_BITS == probes;
    }

    /** Takes an answer to a probe: the host is there, but says nothing else, so it is asked more rarely. */
    void answered(long nonce, long nowNanos) {
        if (isLatest(nonce)) {
            measure(nowNanos - probedNanos);
        }
        int before = quiet;
        heard(nowNanos);
        quiet = Math.min(before + 1, 6);
    }

    private void measure(long roundTrip) {
        samples++;
        if (samples == 1) {
            smoothed = roundTrip;
            deviation = roundTrip / 2.0;
        } else {
            deviation += (Math.abs(smoothed - roundTrip) - deviation) / Math.min(samples, 4);
            smoothed += (roundTrip - smoothed) / Math.min(samples, FIRST_SAMPLES);
        }
    }

    /** Takes how long an answer took that came by way of a router, until a round trip is measured, which takes no longer. */
    void takesAtMost(long nanos) {
        if (samples == 0) {
            smoothed = nanos;
            deviation = nanos / 2.0;
        }
    }

    /** Returns the time within which an answer comes. */
    long timeoutNanos() {
        if (smoothed < 0) {
            return FIRST_NANOS;
        }
        return Math.min(MOST_NANOS, Math.max(LEAST_NANOS, (long) (smoothed + 4 * deviation)));
    }

    double roundTripNanos() {
        return smoothed;
    }

    /**
     * Returns what is to be done now.
     *
     * @param expects whether something is expected of the host even if nothing was sent lately
     * @param lateNanos how much later than planned this is called: who was late suspects no other
     */
    Verdict tick(long nowNanos, boolean expects, long lateNanos) {
        if (!waits && !expects) {
            misses = 0;
            return Verdict.NONE;
        }
        long timeout = timeoutNanos() << quiet;
        if (lateNanos > timeout / 2) {
            probedNanos += lateNanos;
            waitsSinceNanos += lateNanos;
            heardNanos += lateNanos;
        }
        long since = misses > 0 ? probedNanos : waits ? waitsSinceNanos : heardNanos;
        // Each probe waits twice as long as the one before: another process may be late as well.
        if (nowNanos - since < (misses > 0 ? timeoutNanos() << misses - 1 : Math.min(timeout, MOST_NANOS))) {
            boolean due = probes == 0 || nowNanos - probedNanos >= (samples < FIRST_SAMPLES ? FIRST_SAMPLE_NANOS : SAMPLE_NANOS);
            return misses == 0 && due ? probe(nowNanos, Verdict.MEASURE) : Verdict.NONE;
        }
        if (misses == MISSES_MAX) {
            return Verdict.DEAD;
        }
        misses++;
        return probe(nowNanos, Verdict.PROBE);
    }

    private Verdict probe(long nowNanos, Verdict why) {
        probes++;
        probedNanos = nowNanos;
        return why;
    }

    /** Returns whether something that was sent has no answer yet. */
    boolean isWaiting() {
        return waits;
    }

    boolean isSuspected() {
        return misses > 1;
    }
}
