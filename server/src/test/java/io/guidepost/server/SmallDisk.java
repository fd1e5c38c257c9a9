package io.guidepost.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory, which a test fills: needs root, to mount it, and skips the test without. */
public final class SmallDisk implements AutoCloseable {
    private static final int MEBI_BITS = 20;
    private static final int BLOCK_BYTES = 4096;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one of so many MiB in a folder. */
    public static SmallDisk mount(Path in, int mebibytes) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(in.resolve("disk"));
        boolean mounted;
        try {
            mounted = run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        } catch (IOException e) {
            mounted = false;
        }
        Assumptions.assumeTrue(mounted, "needs root, to mount a small file system in memory");
        return new SmallDisk(folder);
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Where it is. */
    public Path folder() {
        return folder;
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Leaves so many MiB, or a little more. */
    public void fill(int left) throws IOException {
        byte[] mebibyte = new byte[1 << MEBI_BITS];
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (Files.getFileStore(folder).getUsableSpace() > (left + 1L) << MEBI_BITS) {
                out.write(mebibyte);
            }
        }
    }

    /** Leaves no byte. */
    public void fill() throws IOException {
        fill(0);
        try (OutputStream out = Files.newOutputStream(ballast(), StandardOpenOption.APPEND)) {
            byte[] block = new byte[BLOCK_BYTES];
            while (Files.getFileStore(folder).getUsableSpace() > 0) {
                out.write(block);
            }
        }
    }

    /** Takes away what filled it. */
    public void makeRoom() throws IOException {
        Files.delete(ballast());
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", folder.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
