package io.guidepost.server.cli.fleet;

import io.guidepost.base.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Writes names of GNRS to a file, in which one that is damaged costs no other:
 *
 * <pre>
 *  offset size
 *     0     8  "GPNAMES1"
 *     8     .  each name: length 32, CRC-32C 32, and its stored form, which {@link io.guidepost.store.RecordImage} draws
 *     .    16  the end: length 0, CRC-32C 32 of the number, number of names 64
 * </pre>
 *
 * All numbers are big-endian. A file without its end was not written to the end.
 */
final class NameFileWriter implements AutoCloseable {
    static final byte[] MAGIC = "GPNAMES1".getBytes(StandardCharsets.US_ASCII);

    private final Path path;
    private final DataOutputStream out;
    private long written;

    private NameFileWriter(Path path, OutputStream file) {
        this.path = path;
        this.out = new DataOutputStream(new BufferedOutputStream(file, 1 << 16));
    }

    /**
     * Creates one that writes a file which does not exist.
     *
     * @throws IOException in one line, if it exists or cannot be made
     */
    @SuppressWarnings("MustBeClosedChecker") // What is opened is closed by close().
    static NameFileWriter create(Path path) throws IOException {
        try {
            NameFileWriter writer =
                    new NameFileWriter(path, Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            writer.out.write(MAGIC);
            return writer;
        } catch (FileAlreadyExistsException e) {
            throw new IOException(path + " is there already: name a file that does not exist", e);
        }
    }

    static int sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    void write(byte[] image) throws IOException {
        out.writeInt(image.length);
        out.writeInt(sum(image));
        out.write(image);
        written++;
    }

    long written() {
        return written;
    }

    /** Writes the end, and waits until all of the file is on the disk, its name included. */
    void end() throws IOException {
        byte[] number = ByteBuffer.allocate(8).putLong(written).array();
        out.writeInt(0);
        out.writeInt(sum(number));
        out.write(number);
        out.flush();
        DurableFiles.sync(path);
        DurableFiles.syncParent(path);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
