package io.guidepost.lab.trace;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsRequest.Kind;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace event by event, compressed with gzip or not, as a stream. Not thread-safe. Requests of a trace are
 * recursive, as the trace clients send them.
 */
public final class GnrsTrace implements AutoCloseable {
    private static final String EXPECTED_KIND = "I or INSERT, U or UPDATE, Q, L or LOOKUP";

    private final LineReader lines;
    private final @Nullable SeekableByteChannel file;
    private Optional<Format> format = Optional.empty();

    /** The three formats of GNRS traces in use, one row each. In all of them {@code #} starts a comment. */
    private enum Format {
        /**
         * Of the trace client: {@code seq I guid place,ttl,weight[,place,ttl,weight...]}, {@code seq U} with the same
         * columns, {@code seq Q guid}. A GUID is a word as in {@code Guid.ofAscii}, a TTL is in milliseconds, a weight is
         * ignored.
         */
        CLIENT,
        /**
         * Request lists: {@code time INSERT guid places}, {@code time UPDATE guid places},
         * {@code time LOOKUP guid places guid places}, or I, U, and L or Q. GUIDs are numbers of up to 40 hexadecimal
         * digits, places are separated by commas; the client of a look-up stands first, then the name.
         */
        REQUESTS,
        /**
         * Event lists: {@code time I|U|Q guid as guid|N extra|N}. A GUID is a word as in {@code Guid.ofAscii}. The place is
         * the number of the AS; the name of a look-up is the second GUID.
         */
        EVENTS
    }

    private GnrsTrace(LineReader lines, @Nullable SeekableByteChannel file) {
        this.lines = lines;
        this.file = file;
    }

    /** The number of events of each kind. */
    public record Counts(long inserts, long updates, long lookups) {
        /** Returns the number of all events. */
        public long total() {
            return inserts + updates + lookups;
        }
    }

    /** Opens a trace; its first event tells the format, see {@link #guess}. */
    public static GnrsTrace open(Path file) throws IOException {
        SeekableByteChannel channel = Files.newByteChannel(file);
        try {
            return new GnrsTrace(LineReader.of(file.toString(), Channels.newInputStream(channel)), channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static GnrsTrace of(LineReader lines) {
        return new GnrsTrace(lines, null);
    }

    /**
     * Reads a trace through, so that all its faults are known before the first request is sent.
     *
     * @throws FaultyFile with each bad line as file:line
     */
    public static Counts count(Path file) throws IOException, FaultyFile {
        try (GnrsTrace trace = open(file)) {
            return trace.count();
        }
    }

    private Counts count() throws IOException, FaultyFile {
        long[] counts = new long[3];
        while (lines.nextLine()) {
            try {
                switch (event().request().kind()) {
                    case INSERT -> counts[0]++;
                    case UPDATE -> counts[1]++;
                    case LOOKUP -> counts[2]++;
                }
            } catch (Malformed e) {
                lines.fault(e.reason());
            }
        }
        lines.check();
        return new Counts(counts[0], counts[1], counts[2]);
    }

    /**
     * Returns the next event; empty at the end.
     *
     * @throws FaultyFile if the line is bad
     */
    public Optional<TraceEvent> next() throws IOException, FaultyFile {
        if (!lines.nextLine()) {
            lines.check();
            return Optional.empty();
        }
        try {
            return Optional.of(event());
        } catch (Malformed e) {
            lines.fault(e.reason());
            lines.check();
            throw new AssertionError("a fault was noted", e);
        }
    }

    /** Returns how much of the file has been read, from 0 to 1; 0 for lines that are no file's. */
    public double fraction() throws IOException {
        return file == null ? 0 : Math.min(1, (double) file.position() / Math.max(1, file.size()));
    }

    private TraceEvent event() throws Malformed {
        List<String> fields = new ArrayList<>();
        do {
            fields.add(lines.field());
        } while (lines.nextField());
        long number = number(fields.getFirst());
        Kind kind = kind(field(fields, 1, EXPECTED_KIND));
        if (format.isEmpty()) {
            format = Optional.of(guess(fields));
        }
        GnrsRequest request =
                switch (format.get()) {
                    case CLIENT -> client(kind, fields);
                    case REQUESTS -> listed(kind, fields);
                    case EVENTS -> counted(kind, fields);
                };
        return new TraceEvent(lines.line(), number, request);
    }

    /**
     * Returns the format whose first event has these columns. Six columns and a lone letter with a number in the fourth is an
     * event list. A word for the kind, or more than four columns, is a request list, and so is a write whose places
     * have no lifetimes. The rest is of the trace client.
     */
    private static Format guess(List<String> fields) {
        boolean letter = fields.get(1).length() == 1;
        boolean numbered = fields.size() > 3 && fields.get(3).chars().allMatch(Character::isDigit);
        if (fields.size() == 6 && letter && numbered) {
            return Format.EVENTS;
        }
        boolean lifetimes = fields.size() < 4 || fields.get(3).split(",", -1).length % 3 == 0;
        return letter && fields.size() <= 4 && lifetimes ? Format.CLIENT : Format.REQUESTS;
    }

    private static GnrsRequest client(Kind kind, List<String> fields) throws Malformed {
        Guid guid = word(field(fields, 2, "a GUID"));
        if (kind == Kind.LOOKUP) {
            return GnrsRequest.lookup(guid, true);
        }
        String[] parts = field(fields, 3, "places as place,ttl,weight").split(",", -1);
        if (parts.length % 3 != 0) {
            throw new Malformed("'" + fields.get(3) + "' is not place,ttl,weight, again for each place", 3);
        }
        List<Binding> bindings = new ArrayList<>();
        for (int i = 0; i < parts.length; i += 3) {
            bindings.add(new Binding(TraceLocators.address(parts[i]), number(parts[i + 1]), 0));
        }
        return write(kind, guid, bindings);
    }

    private static GnrsRequest listed(Kind kind, List<String> fields) throws Malformed {
        if (kind == Kind.LOOKUP) {
            return GnrsRequest.lookup(hexadecimal(field(fields, 4, "the GUID that is looked up")), true);
        }
        List<Binding> bindings = new ArrayList<>();
        for (String place : field(fields, 3, "places, with commas between them").split(",", -1)) {
            if (place.isEmpty()) {
                throw new Malformed(
                        "'" + fields.get(3) + "' has an empty place: write places with one comma between", 3);
            }
            bindings.add(Binding.of(TraceLocators.network(place)));
        }
        return write(kind, hexadecimal(fields.get(2)), bindings);
    }

    private static GnrsRequest counted(Kind kind, List<String> fields) throws Malformed {
        Guid guid = word(field(fields, 2, "a GUID"));
        String as = field(fields, 3, "the number of an AS");
        if (kind == Kind.LOOKUP) {
            return GnrsRequest.lookup(word(field(fields, 4, "the GUID that is looked up")), true);
        }
        return write(kind, guid, List.of(Binding.of(TraceLocators.address(as))));
    }

    private static GnrsRequest write(Kind kind, Guid guid, List<Binding> bindings) throws Malformed {
        try {
            return new GnrsRequest(kind, guid, bindings, true);
        } catch (IllegalArgumentException e) {
            throw new Malformed(String.valueOf(e.getMessage()), 0);
        }
    }

    private static String field(List<String> fields, int at, String expected) throws Malformed {
        if (at >= fields.size()) {
            throw new Malformed("column " + (at + 1) + " is missing: write " + expected, at);
        }
        return fields.get(at);
    }

    private static Kind kind(String text) throws Malformed {
        return switch (text) {
            case "I", "INSERT" -> Kind.INSERT;
            case "U", "UPDATE" -> Kind.UPDATE;
            case "Q", "L", "LOOKUP" -> Kind.LOOKUP;
            default -> throw new Malformed("'" + text + "' is not a kind of event: write " + EXPECTED_KIND, 1);
        };
    }

    private static long number(String text) throws Malformed {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The exception below covers this, as for a number below zero.
        }
        throw new Malformed("'" + text + "' is not a whole number from 0", 0);
    }

    private static Guid word(String text) throws Malformed {
        if (!text.chars().allMatch(each -> each > ' ' && each <= '~')) {
            throw new Malformed("'" + text + "' is not a GUID: write printable ASCII characters", 0);
        }
        return Guid.ofAscii(text);
    }

    /** Parses a GUID written as a hexadecimal number; digits missing from its 40 are zeros on the left. */
    private static Guid hexadecimal(String text) throws Malformed {
        if (text.length() > 2 * Guid.BYTES || !text.chars().allMatch(each -> Character.digit(each, 16) >= 0)) {
            throw new Malformed("'" + text + "' is not a GUID of up to 40 hexadecimal digits", 0);
        }
        return Guid.parse("0".repeat(2 * Guid.BYTES - text.length()) + text);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
