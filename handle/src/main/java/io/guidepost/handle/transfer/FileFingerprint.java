package io.guidepost.handle.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Identifies a file and its version. */
final class FileFingerprint {
    private FileFingerprint() {}

    /** Returns path, size and time of the last change. */
    static String of(Path file) throws IOException {
        return file.toAbsolutePath().normalize() + " " + Files.size(file) + " "
                + Files.getLastModifiedTime(file).toMillis();
    }
}
