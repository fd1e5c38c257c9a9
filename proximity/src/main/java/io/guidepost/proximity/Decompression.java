package io.guidepost.proximity;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/**
 * Opens plain, gzip and bzip2 files, recognised by their first bytes. Truncated or damaged data ends with an
 * {@link java.io.EOFException} or a {@link ZipException}. The reader must bound the size of the result.
 */
public final class Decompression {
    private static final int BUFFER_BYTES = 1 << 16;

    private Decompression() {}

    /** Returns the decompressed content of a stream; closing it closes the stream. */
    public static InputStream of(InputStream raw) throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw, BUFFER_BYTES);
        in.mark(3);
        int first = in.read();
        int second = in.read();
        int third = in.read();
        in.reset();
        if (first == 0x1f && second == 0x8b) {
            return new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES), BUFFER_BYTES);
        }
        return first == 'B' && second == 'Z' && third == 'h' ? new BufferedInputStream(bzip2(in), BUFFER_BYTES) : in;
    }

    private static InputStream bzip2(InputStream packed) throws ZipException {
        try {
            // Parallel compressors write several streams one after the other.
            return new Bzip2(new BZip2CompressorInputStream(packed, true));
        } catch (IOException | IndexOutOfBoundsException | IllegalStateException e) {
            throw damaged(e);
        }
    }

    private static ZipException damaged(Exception e) {
        ZipException damaged = new ZipException("damaged, or cut off: " + e.getMessage());
        damaged.initCause(e);
        return damaged;
    }

    /** Reports damaged bytes as gzip does. */
    private static final class Bzip2 extends FilterInputStream {
        Bzip2(InputStream unpacked) {
            super(unpacked);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            try {
                return in.read(to, offset, length);
            } catch (IOException | IndexOutOfBoundsException | IllegalStateException e) {
                throw damaged(e);
            }
        }
    }
}
