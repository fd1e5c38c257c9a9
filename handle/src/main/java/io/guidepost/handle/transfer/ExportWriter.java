package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import java.io.IOException;
import java.util.Optional;

/** Writes an export, in order: first prefixes, then records. Not thread-safe. */
public interface ExportWriter extends AutoCloseable {
    /** Writes a prefix that the server is responsible for. */
    void home(Handle prefixHandle) throws IOException;

    /**
     * Writes a record.
     *
     * @return why the format cannot hold it, so that it was skipped
     */
    Optional<String> write(HandleRecord record) throws IOException;

    @Override
    void close() throws IOException;
}
