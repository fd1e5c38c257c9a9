package io.guidepost.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A hybrid logical clock that stamps changes of records across servers: milliseconds since 1970 in the upper 48 bits, a
 * counter in the lower 16. Stamps grow even if the wall clock goes back, and exceed all that were seen (Kulkarni et
 * al., Logical physical clocks, 2014). Thread-safe.
 *
 * <p>Two servers may give the same stamp. Merging does not need to tell them apart: equal stamps count as one moment,
 * see {@link RecordMerge}.
 */
public final class HybridClock {
    private static final int COUNTER_BITS = 16;

    private final AtomicLong last = new AtomicLong();

    /** Returns a stamp for an event that happens now. */
    public long next(long nowMillis) {
        long wall = of(nowMillis);
        return last.updateAndGet(before -> Math.max(before + 1, wall));
    }

    /** Advances the clock beyond a stamp of a peer server. */
    public void seen(long stamp) {
        last.accumulateAndGet(stamp, Math::max);
    }

    /** Returns the last stamp given or seen; 0 if there was none. */
    public long last() {
        return last.get();
    }

    /** Returns the first stamp of a millisecond. */
    public static long of(long millis) {
        return millis << COUNTER_BITS;
    }

    /** Returns the millisecond of a stamp. */
    public static long millis(long stamp) {
        return stamp >>> COUNTER_BITS;
    }
}
