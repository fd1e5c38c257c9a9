package io.guidepost.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Stamps changes of records across sites: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16. What
 * it gives grows, even if the wall clock goes back, and is later than all that it has seen (hybrid clock: Kulkarni et
 * al., Logical physical clocks, 2014). Any thread may ask.
 *
 * <p>Two servers may give the same stamp. Merging records does not need to tell them apart: equal stamps are taken as
 * one moment, see {@link RecordMerge}.
 */
public final class HybridClock {
    private static final int COUNTER_BITS = 16;

    private final AtomicLong last = new AtomicLong();

    /** A stamp for something that happens now. */
    public long next(long nowMillis) {
        long wall = of(nowMillis);
        return last.updateAndGet(before -> Math.max(before + 1, wall));
    }

    /** Sees to it that what comes is later than a stamp of another server. */
    public void seen(long stamp) {
        last.accumulateAndGet(stamp, Math::max);
    }

    /** The last stamp given or seen; 0 if there was none. */
    public long last() {
        return last.get();
    }

    /** The first stamp of a millisecond. */
    public static long of(long millis) {
        return millis << COUNTER_BITS;
    }

    /** The millisecond of a stamp. */
    public static long millis(long stamp) {
        return stamp >>> COUNTER_BITS;
    }
}
