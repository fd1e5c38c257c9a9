package io.guidepost.server.cli.fleet;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private final FileOutputStream file;
    private final DataOutputStream out;
    private long written;

    private NameFileWriter(FileOutputStream file) {
        this.file = file;
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
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(path + " is there already: name a file that does not exist", e);
        }
        NameFileWriter writer = new NameFileWriter(new FileOutputStream(path.toFile()));
        writer.out.write(MAGIC);
        return writer;
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

    /** Writes the end, and waits until all of the file is on the disk. */
    void end() throws IOException {
        byte[] number = ByteBuffer.allocate(8).putLong(written).array();
        out.writeInt(0);
        out.writeInt(sum(number));
        out.write(number);
        out.flush();
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
