package io.guidepost.server.cli.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder that is deleted with all that is in it.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) {
    public static TemporaryFolder make(String name) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(name));
    }

    /** Deletes it; if that fails, says so, as nothing else depends on it. */
    public void delete() {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("guidepost: the folder " + path + " could not be deleted: " + e.getMessage());
        }
    }
}
