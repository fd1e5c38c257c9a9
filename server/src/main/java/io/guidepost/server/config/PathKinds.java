package io.guidepost.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The kinds of values that name files and folders; the empty text names none. */
final class PathKinds {
    private PathKinds() {}

    static ValueKind<Path> file() {
        return of("a file", "that is there; empty = none", path -> fault("file", path, Files.exists(path) && !Files.isDirectory(path)));
    }

    static ValueKind<List<Path>> files() {
        return ValueKind.list(file(), "files, separated by commas where it is a text");
    }

    static ValueKind<List<Path>> filesAndFolders(String range) {
        return ValueKind.list(of("a file or folder", "", path -> fault("file or folder", path, Files.exists(path))), range);
    }

    static ValueKind<Path> folder() {
        return of("a folder", "that is there; empty = none", path -> fault("folder", path, Files.isDirectory(path)));
    }

    static ValueKind<Path> madeFile() {
        return of("a file", "in a folder that is there; empty = none", path -> {
            Path folder = path.toAbsolutePath().getParent();
            return path.toString().isEmpty() || folder == null ? "" : fault("folder", folder, Files.isDirectory(folder));
        });
    }

    static ValueKind<Path> madeFolder() {
        return of("a folder", "made where it is not there", path -> {
            Path existing = path.toAbsolutePath();
            while (existing != null && !Files.exists(existing)) {
                existing = existing.getParent();
            }
            return path.toString().isBlank() || existing == null || !Files.isDirectory(existing)
                    ? "'" + path + "' cannot be a folder" + (path.toString().isBlank() ? "" : ", as " + existing + " is none")
                            + ": name one that is there or can be made"
                    : "";
        });
    }

    private static String fault(String what, Path path, boolean there) {
        return there || path.toString().isEmpty() ? "" : "there is no " + what + " " + path + ": name one that is there, or leave it out";
    }

    /** @param check says what is wrong with a path; empty = nothing */
    private static ValueKind<Path> of(String type, String range, Function<Path, String> check) {
        return new ValueKind<>(
                type,
                range,
                raw -> raw instanceof String text ? checked(path(text), check) : null,
                (file, raw) -> raw instanceof String text && !text.isEmpty()
                        ? file.toAbsolutePath().resolveSibling(path(text)).normalize().toString()
                        : raw);
    }

    private static Path checked(Path path, Function<Path, String> check) {
        String fault = check.apply(path);
        if (!fault.isEmpty()) {
            throw new IllegalArgumentException(fault);
        }
        return path;
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a path: " + e.getReason(), e);
        }
    }
}
