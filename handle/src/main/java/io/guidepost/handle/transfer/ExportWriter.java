package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import java.io.IOException;
import java.util.Optional;

/** Writes what an export gives, in order: first prefixes, then records. Not thread-safe. */
public interface ExportWriter extends AutoCloseable {
    /** The server is responsible for a prefix. */
    void home(Handle prefixHandle) throws IOException;

    /**
     * Writes a record.
     *
     * @return why the format cannot hold it, and so it was left out
     */
    Optional<String> write(HandleRecord record) throws IOException;

    @Override
    void close() throws IOException;
}
