package io.guidepost.handle.transfer;

import java.io.IOException;
import java.util.Optional;

/** Gives the items of a file or a table one by one, in an order that is the same each time. Not thread-safe. */
public interface ImportSource extends AutoCloseable {
    /** What it is: tells one import from another, so that one that was broken off can be resumed. */
    String identity();

    /** The next item; empty at the end. */
    Optional<ImportItem> next() throws IOException;

    /** How much of it was read, 0 to 1; 0 if that is not known. */
    default double fraction() {
        return 0;
    }

    @Override
    void close() throws IOException;
}
