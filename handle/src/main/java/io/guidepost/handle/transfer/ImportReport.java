package io.guidepost.handle.transfer;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts what an import did, and reports what it skipped and why. Thread-safe. */
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

    /**
     * Creates a report that prints a line for each skipped item: its position, and the reason; one thread at a time.
     */
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

    /** Returns the number of records created. */
    public long createdCount() {
        return created.sum();
    }

    /** Returns the number of records replaced or changed. */
    public long replacedCount() {
        return replaced.sum();
    }

    /** Returns the number of records that were identical. */
    public long unchangedCount() {
        return unchanged.sum();
    }

    /** Returns the number of existing records kept, as the caller wanted. */
    public long keptCount() {
        return kept.sum();
    }

    /** Returns the number of records deleted. */
    public long deletedCount() {
        return deleted.sum();
    }

    /** Returns the number of prefixes homed. */
    public long homedCount() {
        return homed.sum();
    }

    /** Returns the number of prefixes unhomed. */
    public long unhomedCount() {
        return unhomed.sum();
    }

    /** Returns the number of items skipped. */
    public long skippedCount() {
        return skipped.sum();
    }

    /** Returns the number of items that an interrupted import had done, and this one skipped. */
    public long resumedCount() {
        return resumed.get();
    }
}
