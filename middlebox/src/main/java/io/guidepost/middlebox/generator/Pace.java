package io.guidepost.middlebox.generator;

/**
 * How much may be sent by now: a bucket that fills at a rate. What could not be sent in time is made up for up to the
 * bucket's depth, so that a pause of the thread is not followed by a flood.
 */
final class Pace {
    /** Time that is made up for: longer than a worker's nap, shorter than what receive queues hold. */
    private static final double DEPTH_SECONDS = 0.002;

    private static final double NANOS_IN_SECOND = 1e9;

    private final double perNano;
    private final double depth;
    private double level;
    private long filledAt;
    private boolean started;

    /** A rate in units in a second: frames, or bits; infinite for as fast as the port takes. */
    Pace(double perSecond, double unitsOfLargest) {
        perNano = perSecond / NANOS_IN_SECOND;
        depth = Math.max(unitsOfLargest, perSecond * DEPTH_SECONDS);
    }

    /** Adds what the time since the last call brought. */
    void fill(long nowNanos) {
        if (Double.isInfinite(perNano)) {
            level = Double.POSITIVE_INFINITY;
            return;
        }
        level = started ? Math.min(depth, level + (nowNanos - filledAt) * perNano) : 1;
        filledAt = nowNanos;
        started = true;
    }

    /** Returns whether so much may be sent; if so it is taken out. */
    boolean take(double units) {
        if (level < units) {
            return false;
        }
        level -= units;
        return true;
    }

    /** Returns the nanoseconds until so much may be sent. */
    long nanosUntil(double units) {
        return level >= units ? 0 : (long) Math.ceil((units - level) / perNano);
    }
}
