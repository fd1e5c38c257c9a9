package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Yields the items of a file or a table one by one, in a reproducible order. Not thread-safe. */
public interface ImportSource extends AutoCloseable {
    /**
     * Opens a dump in JSON or a batch file.
     *
     * @throws IOException if it is neither
     */
    static ImportSource open(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            Utf8Lines lines = new Utf8Lines(in);
            for (Optional<String> each = lines.next(); each.isPresent(); each = lines.next()) {
                String text = each.get().strip();
                if (text.startsWith("{") || text.startsWith("[")) {
                    return new JsonDumpReader(file);
                }
                if (BatchFileReader.isOperation(text)) {
                    return new BatchFileReader(file);
                }
                if (!text.isEmpty()) {
                    throw new IOException(file + ":" + lines.line() + ": a dump in JSON begins with { or [, a batch file with"
                            + " CREATE or another operation; this is neither");
                }
            }
            return new BatchFileReader(file);
        } catch (Malformed e) {
            // The longest lines are those of dumps without line ends.
            return new JsonDumpReader(file);
        }
    }

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
