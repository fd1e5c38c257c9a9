package io.guidepost.handle.transfer;

import io.guidepost.handle.HandleLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Splits a JSON dump of any length into its records without parsing them. Three forms are known:
 *
 * <pre>
 *  {"handle": ..., "values": [...]}                            concatenated records, one a line or not
 *  [{"handle": ..., "values": [...]}, ...]                     an array of them
 *  {"homedPrefixes": ["0.NA/10.5", ...],                       the form of existing servers' dump tools
 *   "handleRecords": {"10.5/abc": {"handle": ...}, ...}}
 * </pre>
 *
 * A piece ends where its brackets are closed; the parser of the piece checks its JSON.
 */
final class JsonRecordSplitter {
    private static final String PREFIXES = "homedPrefixes";
    private static final String RECORDS = "handleRecords";

    /** Bytes of a record: the largest that the store takes, in base64 and with room for names. */
    private static final int BYTES_MAX = 16 * HandleLimits.ARRAY_BYTES_MAX;

    /**
     * A piece of the file.
     *
     * @param prefix whether it is a homed prefix, a string; otherwise it is a record
     * @param line of its beginning, from 1
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Piece(boolean prefix, long line, byte[] json) {}

    /** Signals an unknown form of the file, with the line. */
    static final class Broken extends IOException {
        private final long line;

        Broken(long line, String message) {
            super(message);
            this.line = line;
        }

        long line() {
            return line;
        }
    }

    private enum Part {
        START,
        SEQUENCE,
        ARRAY,
        DUMP,
        DUMP_PREFIXES,
        DUMP_RECORDS,
        DUMP_RECORD_LIST,
        END
    }

    private final InputStream in;
    private long line = 1;
    private Part part = Part.START;
    private int ahead = -2;

    JsonRecordSplitter(InputStream in) {
        this.in = in;
    }

    /** Returns the next piece; empty at the end. */
    Optional<Piece> next() throws IOException {
        while (true) {
            int c = peekAfterBlanks();
            switch (part) {
                case START -> {
                    if (c == '[') {
                        take();
                        part = Part.ARRAY;
                    } else {
                        Optional<Piece> first = begin(c);
                        if (first.isPresent()) {
                            return first;
                        }
                    }
                }
                case SEQUENCE -> {
                    if (c < 0) {
                        return Optional.empty();
                    }
                    if (c == ',') {
                        take();
                    } else {
                        return Optional.of(piece(false));
                    }
                }
                case ARRAY, DUMP_RECORD_LIST, DUMP_PREFIXES, DUMP_RECORDS -> {
                    if (c == (part == Part.DUMP_RECORDS ? '}' : ']')) {
                        take();
                        part = part == Part.ARRAY ? Part.END : Part.DUMP;
                    } else if (c == ',') {
                        take();
                    } else {
                        if (part == Part.DUMP_RECORDS) {
                            // The record repeats its handle.
                            scalar();
                            need(':');
                        }
                        return Optional.of(piece(part == Part.DUMP_PREFIXES));
                    }
                }
                case DUMP -> member(c);
                case END -> {
                    if (c >= 0) {
                        throw broken("nothing follows the end");
                    }
                    return Optional.empty();
                }
            }
        }
    }

    private void member(int c) throws IOException {
        if (c == '}') {
            take();
            part = Part.END;
        } else if (c == ',') {
            take();
        } else {
            String name = name(scalar());
            need(':');
            enter(name);
        }
    }

    private void enter(String name) throws IOException {
        int opening = peekAfterBlanks();
        if (name.equals(PREFIXES) && opening == '[') {
            take();
            part = Part.DUMP_PREFIXES;
        } else if (name.equals(RECORDS) && (opening == '{' || opening == '[')) {
            take();
            part = opening == '{' ? Part.DUMP_RECORDS : Part.DUMP_RECORD_LIST;
        } else {
            throw broken("a dump has the members " + PREFIXES + " and " + RECORDS + ", not '" + name + "'");
        }
    }

    /** Decides by the first member whether an object is a dump or a record. */
    private Optional<Piece> begin(int c) throws IOException {
        if (c < 0) {
            part = Part.END;
            return Optional.empty();
        }
        if (c != '{') {
            throw broken("a dump begins with { or [");
        }
        long began = line;
        ByteArrayOutputStream collected = new ByteArrayOutputStream();
        collected.write(take());
        if (peekAfterBlanks() != '"') {
            part = Part.SEQUENCE;
            return Optional.of(rest(collected, began, false));
        }
        byte[] first = scalar();
        String name = name(first);
        if (name.equals(PREFIXES) || name.equals(RECORDS)) {
            part = Part.DUMP;
            need(':');
            enter(name);
            return Optional.empty();
        }
        part = Part.SEQUENCE;
        collected.writeBytes(first);
        return Optional.of(rest(collected, began, false));
    }

    private static String name(byte[] string) {
        String text = new String(string, StandardCharsets.UTF_8);
        return text.length() >= 2 && text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
    }

    private Piece piece(boolean prefix) throws IOException {
        long began = line;
        int c = peekAfterBlanks();
        if (c == '{' || c == '[') {
            ByteArrayOutputStream collected = new ByteArrayOutputStream();
            collected.write(take());
            return rest(collected, began, prefix);
        }
        return new Piece(prefix, began, scalar());
    }

    /** Collects until the bracket that was collected is closed. */
    private Piece rest(ByteArrayOutputStream collected, long began, boolean prefix) throws IOException {
        int depth = 1;
        boolean quoted = false;
        while (depth > 0) {
            int c = take();
            if (c < 0) {
                throw broken("the file ends inside of what begins in line " + began);
            }
            if (collected.size() == BYTES_MAX) {
                throw broken("a record has at most " + BYTES_MAX + " bytes");
            }
            collected.write(c);
            if (quoted) {
                if (c == '\\') {
                    collected.write(Math.max(0, take()));
                }
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
        return new Piece(prefix, began, collected.toByteArray());
    }

    /** Returns a string with its quotes, or another value up to the next separator. */
    private byte[] scalar() throws IOException {
        ByteArrayOutputStream collected = new ByteArrayOutputStream();
        int c = peekAfterBlanks();
        if (c == '"') {
            collected.write(take());
            for (c = take(); c >= 0 && c != '"'; c = take()) {
                collected.write(c);
                if (c == '\\') {
                    collected.write(Math.max(0, take()));
                }
                if (collected.size() > HandleLimits.ARRAY_BYTES_MAX) {
                    throw broken("a string has at most " + HandleLimits.ARRAY_BYTES_MAX + " bytes");
                }
            }
            if (c < 0) {
                throw broken("the file ends inside of a string");
            }
            collected.write('"');
            return collected.toByteArray();
        }
        while (c >= 0 && ",]} \t\r\n:".indexOf(c) < 0 && collected.size() < HandleLimits.ARRAY_BYTES_MAX) {
            collected.write(take());
            c = peek();
        }
        if (collected.size() == 0) {
            throw broken("a value is missing");
        }
        return collected.toByteArray();
    }

    private void need(char wanted) throws IOException {
        if (peekAfterBlanks() != wanted) {
            throw broken("here should be '" + wanted + "'");
        }
        take();
    }

    private Broken broken(String message) {
        return new Broken(line, message);
    }

    private int peek() throws IOException {
        if (ahead == -2) {
            ahead = in.read();
        }
        return ahead;
    }

    private int take() throws IOException {
        int c = peek();
        ahead = -2;
        line += c == '\n' ? 1 : 0;
        return c;
    }

    private int peekAfterBlanks() throws IOException {
        int c = peek();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            take();
            c = peek();
        }
        return c;
    }
}
