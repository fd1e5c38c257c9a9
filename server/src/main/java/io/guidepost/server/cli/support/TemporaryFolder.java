package io.guidepost.server.cli.support;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

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
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.err.println("guidepost: the folder " + path + " could not be deleted: " + e.getMessage());
        }
    }
}
