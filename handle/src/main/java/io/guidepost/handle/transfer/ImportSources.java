package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import java.io.IOException;
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
        try (Utf8Lines in = Utf8Lines.open(file)) {
            for (Optional<String> each = in.next(); each.isPresent(); each = in.next()) {
                String text = each.get().strip();
                if (text.startsWith("{") || text.startsWith("[")) {
                    return JsonDumpReader.open(file);
                }
                if (BatchFileReader.isOperation(text)) {
                    return BatchFileReader.open(file);
                }
                if (!text.isEmpty()) {
                    throw new IOException(file + ":" + in.line() + ": a dump in JSON begins with { or [, a batch file with"
                            + " CREATE or another operation; this is neither");
                }
            }
            return BatchFileReader.open(file);
        } catch (Malformed e) {
            // The longest lines are those of dumps without line ends.
            return JsonDumpReader.open(file);
        }
    }
}
