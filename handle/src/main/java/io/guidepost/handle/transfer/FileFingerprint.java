package io.guidepost.handle.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells one file from another, and from itself after a change. */
final class FileFingerprint {
    private FileFingerprint() {}

    /** Path, size and time of the last change. */
    static String of(Path file) throws IOException {
        return file.toAbsolutePath().normalize() + " " + Files.size(file) + " "
                + Files.getLastModifiedTime(file).toMillis();
    }
}
