package io.guidepost.gnrs.antientropy;

/**
 * Bounds something per second: a token bucket that may go into debt by what was spent last, so that it need not know
 * the largest piece. One thread's.
 */
final class SyncTokenBucket {
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double most;
    private double left;
    private long atNanos;
    private boolean started;

    /**
     * Full at first.
     *
     * @param perSecond how much comes back in a second
     * @param most how much may be spent at once after a rest
     */
    SyncTokenBucket(double perSecond, double most) {
        this.perSecond = perSecond;
        this.most = most;
        this.left = most;
    }

    /** Whether something may be spent. */
    boolean open(long nowNanos) {
        if (started) {
            left = Math.min(most, left + perSecond * (nowNanos - atNanos) / NANOS);
        }
        started = true;
        atNanos = nowNanos;
        return left > 0;
    }

    void spend(double amount) {
        left -= amount;
    }

    /** How long until {@link #open}, in nanoseconds. */
    long restNanos() {
        return left > 0 ? 0 : (long) (-left / perSecond * NANOS) + 1;
    }
}
