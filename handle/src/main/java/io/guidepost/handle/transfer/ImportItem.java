package io.guidepost.handle.transfer;

/** What a source gives: a step, or something that it could not read and left out. */
public sealed interface ImportItem {
    /** Where it stands: {@code file:line}, or a row of a table. */
    String where();

    /** A step. */
    record Of(String where, ImportStep step) implements ImportItem {}

    /**
     * Something that is left out.
     *
     * @param reason what is wrong and what would be right
     */
    record Faulty(String where, String reason) implements ImportItem {}
}
