package io.guidepost.bench.load;

/**
 * The schedule of an open loop: requests are due evenly, at a rate, in trains of equal length. Latencies begin at these
 * times and not when a request really left, so that a stall of the server is charged to every request that it delayed
 * (Tene's "coordinated omission").
 */
final class OpenLoopSchedule {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long startNanos;
    private final double nanosPerRequest;
    private final int train;

    /**
     * Creates a schedule that begins at a time of {@link System#nanoTime}.
     *
     * @param perSecond requests per second, above 0
     * @param train requests that leave together, at least 1
     */
    OpenLoopSchedule(long startNanos, double perSecond, int train) {
        if (!(perSecond > 0) || train < 1) {
            throw new IllegalArgumentException("a pace needs a rate above 0 and trains of 1 or more, not " + perSecond
                    + " and " + train);
        }
        this.startNanos = startNanos;
        this.nanosPerRequest = NANOS_PER_SECOND / perSecond;
        this.train = train;
    }

    /** Returns the number of requests due by a time, the first one at the start. */
    long due(long nowNanos) {
        long passed = nowNanos - startNanos;
        if (passed < 0) {
            return 0;
        }
        long trains = (long) (passed / (nanosPerRequest * train)) + 1;
        return trains * train;
    }

    /** Returns when request {@code n}, counted from 0, is due. */
    long intendedNanos(long n) {
        return startNanos + (long) ((n - n % train) * nanosPerRequest);
    }
}
