package io.guidepost.alto.update;

import java.util.concurrent.atomic.LongAdder;

/** The counters of {@link UpdateCount}. Thread-safe. */
public final class UpdateCounts {
    private final LongAdder[] counters = new LongAdder[UpdateCount.values().length];

    /** All stand at zero. */
    public UpdateCounts() {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new LongAdder();
        }
    }

    @SuppressWarnings("EnumOrdinal") // Cells are laid out by ordinal, and never leave the process.
    void add(UpdateCount count) {
        counters[count.ordinal()].increment();
    }

    /** The count as it stands. */
    @SuppressWarnings("EnumOrdinal") // As above.
    public long get(UpdateCount count) {
        return counters[count.ordinal()].sum();
    }
}
