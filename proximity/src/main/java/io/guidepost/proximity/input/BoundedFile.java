package io.guidepost.proximity.input;

import io.guidepost.proximity.Decompression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A topology file as a decompressed stream that ends with an error at a bound. */
final class BoundedFile extends InputStream {
    private final InputStream in;
    private final Path file;
    private long left = InputLimits.TOPOLOGY_BYTES_MAX;

    private BoundedFile(InputStream in, Path file) {
        this.in = in;
        this.file = file;
    }

    static BoundedFile of(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        try {
            return new BoundedFile(Decompression.of(raw), file);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private void count(long bytes) throws IOException {
        left -= Math.max(0, bytes);
        if (left < 0) {
            throw new IOException(file + " has more than " + InputLimits.TOPOLOGY_BYTES_MAX + " bytes: this is no topology");
        }
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        count(read);
        return read;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
