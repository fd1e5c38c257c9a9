package io.guidepost.handle.transfer;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What an import did, and what it left out and why. Thread-safe. */
public final class ImportReport {
    private final LongAdder created = new LongAdder();
    private final LongAdder replaced = new LongAdder();
    private final LongAdder unchanged = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private final LongAdder deleted = new LongAdder();
    private final LongAdder homed = new LongAdder();
    private final LongAdder unhomed = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final AtomicLong resumed = new AtomicLong();
    private final Consumer<String> told;

    /** Tells each thing that is left out in a line: where it stands, and why; one thread at a time. */
    public ImportReport(Consumer<String> told) {
        this.told = told;
    }

    void written(boolean wasThere) {
        (wasThere ? replaced : created).increment();
    }

    void unchanged() {
        unchanged.increment();
    }

    void kept() {
        kept.increment();
    }

    void deleted() {
        deleted.increment();
    }

    void homed(boolean home) {
        (home ? homed : unhomed).increment();
    }

    void resumed(long items) {
        resumed.set(items);
    }

    synchronized void skipped(String where, String why) {
        skipped.increment();
        told.accept(where + ": " + why);
    }

    /** Records that were not there before. */
    public long createdCount() {
        return created.sum();
    }

    /** Records that took the place of others, or were changed. */
    public long replacedCount() {
        return replaced.sum();
    }

    /** Records that were there just so. */
    public long unchangedCount() {
        return unchanged.sum();
    }

    /** Records that stayed as they were, as the caller wanted. */
    public long keptCount() {
        return kept.sum();
    }

    /** Records that were deleted. */
    public long deletedCount() {
        return deleted.sum();
    }

    /** Prefixes that the server was made responsible for. */
    public long homedCount() {
        return homed.sum();
    }

    /** Prefixes that it is no more responsible for. */
    public long unhomedCount() {
        return unhomed.sum();
    }

    /** What was left out. */
    public long skippedCount() {
        return skipped.sum();
    }

    /** Items that an earlier import had done, and this one passed over. */
    public long resumedCount() {
        return resumed.get();
    }
}
