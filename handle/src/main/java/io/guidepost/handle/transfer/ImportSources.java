package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens files by their contents. */
public final class ImportSources {
    private ImportSources() {}

    /**
     * Opens a dump in JSON or a batch file.
     *
     * @throws IOException if it is neither
     */
    public static ImportSource open(Path file) throws IOException {
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
}
