package io.guidepost.server.cli.fleet;

import io.guidepost.base.CommonLimits;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what {@link NameFileWriter} writes; names whose sum is wrong are left out and counted. */
final class NameFileReader implements AutoCloseable {
    private final Path path;
    private final DataInputStream in;
    private final long length;
    private long at = NameFileWriter.MAGIC.length;
    private long taken;
    private long damaged;

    private NameFileReader(Path path, DataInputStream in, long length) {
        this.path = path;
        this.in = in;
        this.length = length;
    }

    /**
     * Opens a file.
     *
     * @throws IOException in one line, if it is no file of names
     */
    static NameFileReader open(Path path) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16));
        if (!Arrays.equals(in.readNBytes(NameFileWriter.MAGIC.length), NameFileWriter.MAGIC)) {
            in.close();
            throw new IOException(path + " is not a file that guidepost fleet export wrote");
        }
        return new NameFileReader(path, in, Files.size(path));
    }

    /**
     * Returns the stored form of the next name; null at the end.
     *
     * @throws IOException in one line, if the file is damaged so that nothing behind can be found, or was not written to the end
     */
    byte @Nullable [] next() throws IOException {
        try {
            while (true) {
                int size = in.readInt();
                int sum = in.readInt();
                if (size == 0) {
                    end(sum, in.readNBytes(8));
                    return null;
                }
                if (size < 0 || size > CommonLimits.RECORD_BYTES_MAX) {
                    throw new IOException(path + " is damaged at byte " + at + ": a name has 1 to " + CommonLimits.RECORD_BYTES_MAX
                            + " bytes, not " + size);
                }
                byte[] image = new byte[size];
                in.readFully(image);
                at += 8L + size;
                taken++;
                if (NameFileWriter.sum(image) == sum) {
                    return image;
                }
                damaged++;
            }
        } catch (EOFException e) {
            throw new IOException(path + " ends behind " + taken + " names, and was not written to its end", e);
        }
    }

    private void end(int sum, byte[] number) throws IOException {
        if (number.length < 8 || NameFileWriter.sum(number) != sum || ByteBuffer.wrap(number).getLong() != taken) {
            throw new IOException(path + " does not say at its end that it has the " + taken + " names which it has");
        }
    }

    /** Returns how many names were read, damaged ones too. */
    long taken() {
        return taken;
    }

    long damaged() {
        return damaged;
    }

    /** Returns which part of the file was read. */
    double fraction() {
        return (double) at / length;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
