package io.guidepost.base;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Files and folders that a power loss leaves whole: they are there when a method has returned, names included; a file that was
 * being written is there as it was before, or not at all.
 */
public final class DurableFiles {
    private static final Set<StandardOpenOption> WRITES =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** An attribute of what its owner alone may read; file systems without permissions refuse it. */
    public static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private DurableFiles() {}

    /** Creates a folder, and those above it, where they are missing. */
    public static void createFolders(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            createFolders(parent);
        }
        Files.createDirectories(folder);
        // Also if the folder was there: whether its name was synced is not known.
        syncParent(folder);
    }

    /**
     * Writes a file, in place of one that is there.
     *
     * @param attributes of the file, such as who may read it
     */
    public static void write(Path file, byte[] bytes, FileAttribute<?>... attributes) throws IOException {
        Path part = part(file);
        Files.deleteIfExists(part);
        try (FileChannel channel = FileChannel.open(part, WRITES, attributes)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }
        replace(part, file);
    }

    /**
     * Returns the bytes of a file with a secret, which is made at the first time, in a folder that may be missing; its owner alone
     * may read it then.
     *
     * @throws IOException if it can be neither read nor made, as where a file system keeps no permissions
     */
    public static byte[] secret(Path file, Supplier<byte[]> made) throws IOException {
        if (!Files.exists(file)) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                createFolders(folder);
            }
            try {
                write(file, made.get(), OWNER_ONLY);
            } catch (UnsupportedOperationException e) {
                throw new IOException(file + ": this file system keeps no permissions, so no secrets", e);
            }
        }
        return Files.readAllBytes(file);
    }

    /** Copies a file with its attributes, such as who may read it, in place of one that is there. */
    public static void copy(Path from, Path file) throws IOException {
        Path part = part(file);
        Files.copy(from, part, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
        replace(part, file);
    }

    /** Returns the name that a file has until all of it is there; a power loss may leave a part of it by that name. */
    public static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /** Renames a file, whose bytes are synced first, to another of its folder, in place of one that is there. */
    public static void replace(Path part, Path file) throws IOException {
        sync(part);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncParent(file);
    }

    /** Syncs the bytes of a file. */
    public static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Syncs the names in a folder. One that may be entered but not listed cannot be synced, and is left to the system. */
    public static void syncFolder(Path folder) throws IOException {
        try {
            sync(folder);
        } catch (AccessDeniedException e) {
            if (Files.isReadable(folder)) {
                throw e;
            }
        }
    }

    /** Syncs the name of a file or folder. */
    public static void syncParent(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            syncFolder(parent);
        }
    }
}
