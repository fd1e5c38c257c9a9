package io.guidepost.middlebox.generator;

/** A token bucket for sending at a rate. Its depth bounds how much is made up for after a pause of the thread. */
final class Pace {
    /** Depth in time: longer than a worker's coalescing sleep, shorter than receive queues hold. */
    private static final double DEPTH_SECONDS = 0.002;

    private static final double NANOS_IN_SECOND = 1e9;

    private final double perNano;
    private final double depth;
    private double level;
    private long filledAt;
    private boolean started;

    /** Creates a bucket with a rate in units in a second: frames, or bits; infinite for no limit. */
    Pace(double perSecond, double unitsOfLargest) {
        perNano = perSecond / NANOS_IN_SECOND;
        depth = Math.max(unitsOfLargest, perSecond * DEPTH_SECONDS);
    }

    /** Adds the tokens of the time since the last call. */
    void fill(long nowNanos) {
        if (Double.isInfinite(perNano)) {
            level = Double.POSITIVE_INFINITY;
            return;
        }
        level = started ? Math.min(depth, level + (nowNanos - filledAt) * perNano) : 1;
        filledAt = nowNanos;
        started = true;
    }

    /** Takes tokens; false if there are too few. */
    boolean take(double units) {
        if (level < units) {
            return false;
        }
        level -= units;
        return true;
    }

    /** Returns the nanoseconds until there are enough tokens. */
    long nanosUntil(double units) {
        return level >= units ? 0 : (long) Math.ceil((units - level) / perNano);
    }
}
