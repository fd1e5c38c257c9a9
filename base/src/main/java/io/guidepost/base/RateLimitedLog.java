package io.guidepost.base;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A logger of what others can cause as often as they like, a request that fails for one: some lines at once, then one in a while, which
 * says how many were left out. Thread-safe.
 */
public final class RateLimitedLog {
    private static final int BURST_LINES = 10;
    private static final double LINES_PER_SECOND = 0.1;

    private final System.Logger logger;
    private final LongSupplier nanoClock;
    private final TokenBucket bucket = new TokenBucket(LINES_PER_SECOND, BURST_LINES);
    private long leftOut;

    /** Limits what is written to a logger. */
    public RateLimitedLog(System.Logger logger) {
        this(logger, System::nanoTime);
    }

    RateLimitedLog(System.Logger logger, LongSupplier nanoClock) {
        this.logger = logger;
        this.nanoClock = nanoClock;
    }

    /**
     * Writes a line, or counts it.
     *
     * @param thrown whose stack is written too; null for none
     */
    public void error(String line, @Nullable Throwable thrown) {
        long before;
        synchronized (this) {
            bucket.refill(nanoClock.getAsLong());
            if (!bucket.tryTake(1)) {
                leftOut++;
                return;
            }
            before = leftOut;
            leftOut = 0;
        }
        String whole = before == 0 ? line : line + " (" + before + " such lines before it were left out)";
        logger.log(System.Logger.Level.ERROR, whole, thrown);
    }
}
