package io.guidepost.handle.transfer;

import io.guidepost.base.SharedCounters;
import java.util.function.Consumer;

/** Counts what an import did, and reports what it skipped and why. Thread-safe. */
public final class ImportReport {
    /** What is counted. */
    public enum Count {
        /** Records created. */
        CREATED,
        /** Records replaced or changed. */
        REPLACED,
        /** Records that were identical. */
        UNCHANGED,
        /** Existing records kept, as the caller wanted. */
        KEPT,
        /** Records deleted. */
        DELETED,
        /** Prefixes homed. */
        HOMED,
        /** Prefixes unhomed. */
        UNHOMED,
        /** Items skipped. */
        SKIPPED
    }

    private final SharedCounters<Count> counts = new SharedCounters<>(Count.class);
    private final Consumer<String> told;
    private volatile long resumed;

    /**
     * Creates a report that prints a line for each skipped item: its position, and the reason; one thread at a time.
     */
    public ImportReport(Consumer<String> told) {
        this.told = told;
    }

    void count(Count what) {
        counts.add(what);
    }

    void resumed(long items) {
        resumed = items;
    }

    synchronized void skipped(String where, String why) {
        count(Count.SKIPPED);
        told.accept(where + ": " + why);
    }

    /** Returns a count. */
    public long get(Count what) {
        return counts.get(what);
    }

    /** Returns the number of items that an interrupted import had done, and this one skipped. */
    public long resumedCount() {
        return resumed;
    }
}
