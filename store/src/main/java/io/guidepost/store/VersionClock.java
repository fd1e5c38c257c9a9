package io.guidepost.store;

/**
 * The single-threaded hybrid logical clock of versions: milliseconds since 1970 in the upper 48 bits, a counter in the
 * lower 16. Versions grow even if the wall clock goes back (Kulkarni et al., Logical physical clocks, 2014).
 */
public final class VersionClock {
    private static final int COUNTER_BITS = 16;

    private long last;

    /** Advances the clock beyond a version seen elsewhere. */
    public void seen(long version) {
        last = Math.max(last, version);
    }

    /** Returns the next version without taking it. */
    public long next(long nowMillis) {
        return Math.max(last + 1, nowMillis << COUNTER_BITS);
    }

    /** Returns the last version given or seen. */
    public long last() {
        return last;
    }
}
