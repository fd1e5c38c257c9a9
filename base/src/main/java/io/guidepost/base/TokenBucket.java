package io.guidepost.base;

/**
 * A token bucket, or rate limit: bounds an amount per second, with bursts up to the capacity of the bucket. Tokens are anything that is
 * counted: requests, bytes, bits, microseconds of a processor. For one thread.
 *
 * <p>There are two ways to use one. {@link #tryTake} takes tokens only if all of them are there. {@link #isOpen} and
 * {@link #spend} let the last piece overdraw the bucket, so the largest piece need not be known; the debt is paid before the
 * bucket is open again.
 */
public final class TokenBucket {
    private static final double NANOS_IN_SECOND = 1e9;

    private final double perNano;
    private final double capacity;
    private double tokens;
    private long filledNanos;
    private boolean started;

    /**
     * Creates a full bucket.
     *
     * @param perSecond tokens that come back in a second; infinite for no bound
     * @param capacity tokens that may be spent at once after a pause
     */
    public TokenBucket(double perSecond, double capacity) {
        this(perSecond, capacity, capacity);
    }

    /**
     * Creates a bucket that is not full.
     *
     * @param tokens in the bucket until it is refilled
     */
    public TokenBucket(double perSecond, double capacity, double tokens) {
        this.perNano = perSecond / NANOS_IN_SECOND;
        this.capacity = capacity;
        this.tokens = Double.isInfinite(perSecond) ? Double.POSITIVE_INFINITY : tokens;
    }

    /** Adds the tokens of the time since the last call; the first call starts the clock. */
    public void refill(long nowNanos) {
        if (started && !Double.isInfinite(perNano)) {
            tokens = Math.min(capacity, tokens + perNano * Math.max(0, nowNanos - filledNanos));
        }
        started = true;
        filledNanos = nowNanos;
    }

    /** Refills the bucket and returns whether there is anything to {@link #spend}. */
    public boolean isOpen(long nowNanos) {
        refill(nowNanos);
        return tokens > 0;
    }

    /** Takes tokens, more than there are if need be. */
    public void spend(double number) {
        tokens -= number;
    }

    /** Takes tokens if all of them are there; returns whether they were. */
    public boolean tryTake(double number) {
        if (tokens < number) {
            return false;
        }
        tokens -= number;
        return true;
    }

    /** Returns the nanoseconds until {@link #isOpen}, counted from the last refill. */
    public long nanosUntilOpen() {
        return tokens > 0 ? 0 : (long) (-tokens / perNano) + 1;
    }

    /** Returns the nanoseconds until {@link #tryTake} of a number succeeds, counted from the last refill. */
    public long nanosUntil(double number) {
        return tokens >= number ? 0 : (long) Math.ceil((number - tokens) / perNano);
    }
}
