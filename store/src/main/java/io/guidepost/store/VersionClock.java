package io.guidepost.store;

/**
 * Gives versions: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16, and always more than the one
 * before, even if the wall clock goes back (hybrid clock: Kulkarni et al., Logical physical clocks, 2014). For one
 * thread.
 */
public final class VersionClock {
    private static final int COUNTER_BITS = 16;

    private long last;

    /** Sees to it that what comes is later than a version seen elsewhere. */
    public void seen(long version) {
        last = Math.max(last, version);
    }

    /** The version that would come next. */
    public long next(long nowMillis) {
        return Math.max(last + 1, nowMillis << COUNTER_BITS);
    }

    /** The last version given, or seen. */
    public long last() {
        return last;
    }
}
