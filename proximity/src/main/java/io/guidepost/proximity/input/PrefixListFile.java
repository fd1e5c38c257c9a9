package io.guidepost.proximity.input;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.PrefixParser;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.Findings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads lists of prefixes, one on each line:
 *
 * <pre>
 * PREFIX                              of a system that is not known
 * PREFIX AS                           the table of GNRS; what follows is not looked at
 * PREFIX,AS[,ROUTER[,DISTANCE]]       with commas or semicolons; a column may be empty, or in quotes (RFC 4180)
 * </pre>
 *
 * <p>A first line that begins with {@code prefix} is a heading. A line allocates nothing but the names of routers.
 */
final class PrefixListFile {
    /** Receives the content of a line. */
    interface Taker {
        /**
         * Receives one prefix.
         *
         * @param prefix parsed last
         * @param as its AS number; 0 if unknown
         * @param router to attach it to; empty if the file does not say
         * @param distance ASes behind the exit; -1 if the file does not say
         * @return the fault of the router; empty if there is none
         */
        String take(PrefixParser prefix, long as, String router, int distance);
    }

    private final LineReader lines;
    private final PrefixParser prefix = new PrefixParser();
    private int at;
    private int end;
    private boolean separated;
    private boolean quoted;
    private int from;
    private int to;

    private PrefixListFile(LineReader lines) {
        this.lines = lines;
    }

    /**
     * Reads a file.
     *
     * @return lines with a prefix
     */
    static int read(Path file, Findings findings, Taker taker) throws IOException {
        try (LineReader lines = LineReader.open(file)) {
            int read = new PrefixListFile(lines).read(taker);
            lines.check();
            return read;
        } catch (FaultyFile e) {
            findings.take(e);
            return 0;
        }
    }

    private int read(Taker taker) throws IOException {
        int read = 0;
        boolean first = true;
        while (lines.nextLine()) {
            at = lines.from();
            end = lines.to();
            separated = true;
            boolean mark = first && end - at >= 3 && (lines.bytes()[at] & 0xff) == 0xef;
            at += mark ? 3 : 0;
            boolean heading = next() && first && is("prefix");
            first = false;
            if (!heading) {
                String fault = line(taker);
                read += fault.isEmpty() ? 1 : 0;
                if (!fault.isEmpty()) {
                    lines.fault(fault);
                }
            }
        }
        return read;
    }

    /** Advances to the next column; one between two separators is present and empty. */
    private boolean next() {
        byte[] bytes = lines.bytes();
        if (at == end) {
            boolean open = separated;
            if (!lines.nextField()) {
                separated = false;
                from = to = at;
                return open;
            }
            at = lines.from();
            end = lines.to();
            if (!open && isSeparator(bytes[at])) {
                at++;
                separated = true;
                return next();
            }
        }
        from = at;
        quoted = at < end && bytes[at] == '"' && endQuote();
        while (at < end && !isSeparator(bytes[at])) {
            at++;
        }
        to = at;
        separated = at < end;
        at += separated ? 1 : 0;
        if (quoted) {
            from++;
            to--;
        }
        return true;
    }

    /**
     * Advances behind a column in quotes, which may have blanks, separators, and quotes that are doubled; returns whether it ends as
     * it should.
     */
    private boolean endQuote() {
        byte[] bytes = lines.bytes();
        int scanned = at + 1;
        while (true) {
            while (scanned < end && bytes[scanned] != '"') {
                scanned++;
            }
            if (scanned < end && scanned + 1 < end && bytes[scanned + 1] == '"') {
                scanned += 2;
            } else if (scanned < end) {
                at = scanned + 1;
                return at == end || isSeparator(bytes[at]);
            } else if (lines.nextField()) {
                scanned = lines.from();
                end = lines.to();
            } else {
                at = end;
                return false;
            }
        }
    }

    private static boolean isSeparator(byte character) {
        return character == ',' || character == ';';
    }

    private boolean is(String word) {
        return to - from == word.length() && word.equalsIgnoreCase(text());
    }

    private String text() {
        String text = new String(lines.bytes(), from, to - from, StandardCharsets.UTF_8);
        return quoted ? text.replace("\"\"", "\"") : text;
    }

    /** Handles a line whose first column is read; returns its fault, or an empty text. */
    private String line(Taker taker) {
        String fault = prefix.read(lines.bytes(), from, to);
        if (!fault.isEmpty()) {
            return fault;
        }
        boolean columns = separated;
        long as = 0;
        if (next() && to > from) {
            as = AsNotation.PLAIN.parse(lines.bytes(), from, to);
            if (as < 0) {
                return "'" + text() + "' is not the number of an AS: write " + AsNotation.PLAIN.expected();
            }
        }
        if (!columns) {
            return taker.take(prefix, as, "", -1);
        }
        String router = next() ? text() : "";
        int distance = -1;
        if (next() && to > from) {
            String text = text();
            if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > InputLimits.AS_DISTANCE_MAX) {
                return "'" + text + "' is not an AS distance: write a number from 0 to " + InputLimits.AS_DISTANCE_MAX;
            }
            distance = Integer.parseInt(text);
        }
        if (next()) {
            return "'" + text() + "' is one column too many: write PREFIX,AS,ROUTER,DISTANCE";
        }
        return taker.take(prefix, as, router, distance);
    }
}
