package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A small file system in memory, which can be filled: root alone mounts one. */
final class SmallFileSystem implements AutoCloseable {
    private static final int BLOCK_BYTES = 4096;

    private final Path folder;

    private SmallFileSystem(Path folder) {
        this.folder = folder;
    }

    /**
     * Mounts one in a folder that is made.
     *
     * @throws IOException in one line, if the system does not mount it
     */
    static SmallFileSystem mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectory(folder);
        ChildProcesses.run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        return new SmallFileSystem(folder);
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Leaves no block. */
    void fill() throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (Files.getFileStore(folder).getUsableSpace() > 0) {
                out.write(block);
            }
        } catch (IOException full) {
            if (Files.getFileStore(folder).getUsableSpace() > BLOCK_BYTES) {
                throw full;
            }
        }
    }

    /** Takes away what filled it. */
    void makeRoom() throws IOException {
        Files.deleteIfExists(ballast());
    }

    @Override
    public void close() throws IOException {
        ChildProcesses.run("umount", "-l", folder.toString());
    }
}
