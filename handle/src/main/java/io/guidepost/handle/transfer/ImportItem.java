package io.guidepost.handle.transfer;

/** An item of a source: a step, or a malformed entry. */
public sealed interface ImportItem {
    /** Returns its position: {@code file:line}, or a row of a table. */
    String where();

    /** A step. */
    record Of(String where, ImportStep step) implements ImportItem {}

    /**
     * A malformed entry, to be skipped.
     *
     * @param reason the fault, and the correct form
     */
    record Faulty(String where, String reason) implements ImportItem {}
}
