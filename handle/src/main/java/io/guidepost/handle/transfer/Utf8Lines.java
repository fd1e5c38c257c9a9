package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The lines of a UTF-8 text, one by one, with any line ends. A malformed line is reported, and the next call continues.
 */
final class Utf8Lines {
    /** Bytes of a line: the longest data of a value, and room for the fields before it. */
    private static final int BYTES_MAX = 2 << 20;

    private final InputStream in;
    private long line;

    Utf8Lines(InputStream in) {
        this.in = in;
    }

    /** Returns the number of the last line read, from 1. */
    long line() {
        return line;
    }

    /**
     * Returns the next line, without its end; empty at the end of the text.
     *
     * @throws Malformed if it is not UTF-8, or too long
     */
    Optional<String> next() throws IOException, Malformed {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int each = in.read();
        if (each < 0) {
            return Optional.empty();
        }
        line++;
        boolean tooLong = false;
        for (; each >= 0 && each != '\n'; each = in.read()) {
            tooLong |= bytes.size() == BYTES_MAX;
            if (!tooLong) {
                bytes.write(each);
            }
        }
        if (tooLong) {
            throw new Malformed("a line has at most " + BYTES_MAX + " bytes", BYTES_MAX);
        }
        String text = Utf8.decode(bytes.toByteArray()).orElseThrow(() -> new Malformed("the line is not UTF-8", 0));
        String begun = line == 1 && text.startsWith("\ufeff") ? text.substring(1) : text;
        return Optional.of(begun.endsWith("\r") ? begun.substring(0, begun.length() - 1) : begun);
    }
}
