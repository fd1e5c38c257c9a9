package io.guidepost.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of a Unix socket to which only its owner may connect, at no time anybody else. */
public final class SocketFile {
    /** Binds a socket to a file that is not there. */
    @FunctionalInterface
    public interface SocketBinder {
        /** Binds it. */
        void to(Path file) throws IOException;
    }

    private SocketFile() {}

    /**
     * Makes the file, in place of one that is there: in a folder of its own, and moved when strangers may not
     * connect any more.
     *
     * @throws IOException if the socket is not bound, or the file cannot be moved
     */
    public static void make(Path file, SocketBinder binder) throws IOException {
        Path folder = Files.createTempDirectory(file.toAbsolutePath().getParent(), ".guidepost");
        Path made = folder.resolve("socket");
        try {
            binder.to(made);
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(folder);
        }
    }
}
