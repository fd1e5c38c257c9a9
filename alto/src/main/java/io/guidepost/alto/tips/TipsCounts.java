package io.guidepost.alto.tips;

import java.util.concurrent.atomic.LongAdder;

/** The counters of {@link TipsCount}. Thread-safe. */
public final class TipsCounts {
    private final LongAdder[] counters = new LongAdder[TipsCount.values().length];

    /** All stand at zero. */
    public TipsCounts() {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new LongAdder();
        }
    }

    @SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
    void add(TipsCount count) {
        counters[count.ordinal()].increment();
    }

    /** The count as it stands. */
    @SuppressWarnings("EnumOrdinal") // As above.
    public long get(TipsCount count) {
        return counters[count.ordinal()].sum();
    }
}
