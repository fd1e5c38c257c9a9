package io.guidepost.base;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads the text files that operators write: fields between blanks, {@code #} starts a comment, empty lines are
 * skipped, gzip is recognised. Fields are read in place, so a table of hundreds of thousands of lines makes no garbage
 * and loads fast in a cold process. The file is streamed.
 *
 * <p>Faults are collected, each with its line, so that the operator sees all of them at once. Not thread-safe.
 */
public final class LineReader implements AutoCloseable {
    /** Two of the longest lines: an incomplete line moves to the front and still has room to be completed. */
    private static final int BUFFER_BYTES = 2 * CommonLimits.LINE_BYTES_MAX;

    private final String name;
    private final InputStream in;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final List<String> faults = new ArrayList<>();
    private long faultsTotal;
    private boolean ended;
    private int filled;
    private int next;
    private int lineEnd;
    private long line;
    private int from;
    private int to;

    private LineReader(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    /**
     * Opens a file, compressed or not.
     *
     * @throws IOException if it cannot be read
     */
    public static LineReader open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return of(file.toString(), in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Reads a stream, compressed or not; faults name it as given. */
    public static LineReader of(String name, InputStream in) throws IOException {
        return new LineReader(name, plain(in));
    }

    private static InputStream plain(InputStream in) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
        buffered.mark(2);
        boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
        buffered.reset();
        return gzip ? new GZIPInputStream(buffered, 1 << 16) : buffered;
    }

    /**
     * Advances to the next line that has a field, and to its first field.
     *
     * @return false at the end of the file
     */
    public boolean nextLine() throws IOException {
        while (readLine()) {
            if (nextField()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Advances to the next field of the line.
     *
     * @return false if it has no more
     */
    public boolean nextField() {
        int at = to;
        while (at < lineEnd && bytes[at] >= 0 && bytes[at] <= ' ') {
            at++;
        }
        from = at;
        while (at < lineEnd && (bytes[at] < 0 || bytes[at] > ' ')) {
            at++;
        }
        to = at;
        return to > from;
    }

    /** Finds the end of the next line: {@code to}, where its first field is sought, and {@code lineEnd}. */
    private boolean readLine() throws IOException {
        int scanned = next;
        int comment = -1;
        while (true) {
            for (; scanned < filled; scanned++) {
                byte each = bytes[scanned];
                if (each == '\n') {
                    bound(comment < 0 ? scanned : comment, scanned + 1);
                    return true;
                }
                if (each == '#' && comment < 0) {
                    comment = scanned;
                }
            }
            if (ended) {
                if (next == filled) {
                    return false;
                }
                bound(comment < 0 ? filled : comment, filled);
                return true;
            }
            if (scanned - next > CommonLimits.LINE_BYTES_MAX) {
                if (comment != next) {
                    line++;
                    fault("the line has more than " + CommonLimits.LINE_BYTES_MAX + " bytes");
                    line--;
                }
                // The overlong line is treated as a comment: the reader skips to its end.
                next = scanned - 1;
                bytes[next] = '#';
                comment = next;
            }
            int moved = next;
            fill();
            scanned -= moved;
            comment = comment < 0 ? comment : comment - moved;
        }
    }

    private void bound(int end, int following) {
        line++;
        to = next;
        lineEnd = end;
        next = following;
    }

    private void fill() throws IOException {
        System.arraycopy(bytes, next, bytes, 0, filled - next);
        filled -= next;
        next = 0;
        int count = in.read(bytes, filled, bytes.length - filled);
        if (count < 0) {
            ended = true;
        } else {
            filled += count;
        }
    }

    /** Returns the bytes that hold the current field; valid until the next line is read, and read-only. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns where the current field starts in {@link #bytes}. */
    public int from() {
        return from;
    }

    /** Returns where the current field ends in {@link #bytes}. */
    public int to() {
        return to;
    }

    /** Returns the current field as text. */
    public String field() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** Returns the number of the current line, from 1. */
    public long line() {
        return line;
    }

    /** Adds a fault of the current line: what is wrong and what would be right. */
    public void fault(String reason) {
        faultsTotal++;
        if (faults.size() < CommonLimits.FILE_FAULTS_MAX) {
            faults.add(name + ":" + line + ": " + reason);
        }
    }

    /**
     * Throws if faults were found.
     *
     * @throws FaultyFile with all of them, up to the bound
     */
    public void check() throws FaultyFile {
        if (faultsTotal > 0) {
            throw new FaultyFile(faults, faultsTotal);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
