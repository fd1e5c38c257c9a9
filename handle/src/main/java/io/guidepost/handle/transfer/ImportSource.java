package io.guidepost.handle.transfer;

import java.io.IOException;
import java.util.Optional;

/** Yields the items of a file or a table one by one, in a reproducible order. Not thread-safe. */
public interface ImportSource extends AutoCloseable {
    /** Returns the identity of its contents, by which an interrupted import is resumed. */
    String identity();

    /** Returns the next item; empty at the end. */
    Optional<ImportItem> next() throws IOException;

    /** Returns the fraction that was read, 0 to 1; 0 if unknown. */
    default double fraction() {
        return 0;
    }

    @Override
    void close() throws IOException;
}
