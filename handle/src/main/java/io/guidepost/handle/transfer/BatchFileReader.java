package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads batch files of existing servers' batch tools. A block ends with an empty line, or where another begins.
 *
 * <pre>
 *  CREATE handle           ADD handle            MODIFY handle         followed by value lines
 *  DELETE handle           REMOVE 2,3:handle     one line each
 *  HOME host:port:protocol UNHOME ...            followed by a line for each prefix handle
 *  AUTHENTICATE SECKEY:index:handle              then the secret
 *  AUTHENTICATE PUBKEY:index:handle              then the key file, and | passphrase if it has one
 *  SESSIONSETUP                                  then USESESSION:1, OPTIONS:eaf and others
 *
 *  value line:  index TYPE ttl permissions UTF8 text
 *                                          FILE path
 *                                          ADMIN index:rights:handle
 *                                          LIST index:handle;index:handle;
 * </pre>
 *
 * A block with a fault is skipped whole. A text is everything after one blank. A path is relative to the folder of the
 * batch file, or, if nothing is there, to the working folder.
 */
final class BatchFileReader extends ImportFile {
    private static final int VALUE_FIELDS = 5;

    private final Utf8Lines lines;
    private final Deque<ImportItem> ready = new ArrayDeque<>();
    private @Nullable String held;
    private long line;

    BatchFileReader(Path file) throws IOException {
        super(file);
        this.lines = new Utf8Lines(in);
    }

    /** Returns whether a line begins a block, which tells a batch file from others. */
    static boolean isOperation(String text) {
        return Verb.of(text).isPresent();
    }

    /** The first word of a block. */
    private enum Verb {
        CREATE,
        DELETE,
        ADD,
        REMOVE,
        MODIFY,
        HOME,
        UNHOME,
        AUTHENTICATE,
        SESSIONSETUP;

        static Optional<Verb> of(String text) {
            int blank = text.indexOf(' ');
            String word = blank < 0 ? text.strip() : text.substring(0, blank);
            return Arrays.stream(values())
                    .filter(each -> each.name().equalsIgnoreCase(word) && (blank >= 0 || each == SESSIONSETUP))
                    .findFirst();
        }
    }

    @Override
    public Optional<ImportItem> next() throws IOException {
        while (ready.isEmpty()) {
            try {
                String text = readLine();
                if (text == null) {
                    return Optional.empty();
                }
                if (!text.isBlank()) {
                    block(text);
                }
            } catch (Malformed e) {
                faulty(line, e.reason());
            }
        }
        return Optional.of(ready.removeFirst());
    }

    private @Nullable String readLine() throws IOException, Malformed {
        if (held != null) {
            String text = held;
            held = null;
            return text;
        }
        Optional<String> text;
        try {
            text = lines.next();
        } finally {
            line = lines.line();
        }
        return text.orElse(null);
    }

    /** Returns the lines of a block after its first; those of {@code AUTHENTICATE} have no syntax. */
    private List<String> body(boolean freely) throws IOException, Malformed {
        List<String> lines = new ArrayList<>();
        for (String text = readLine(); text != null && !text.isBlank(); text = readLine()) {
            if (!freely && Verb.of(text).isPresent()) {
                held = text;
                return lines;
            }
            lines.add(text);
            if (freely) {
                return lines;
            }
        }
        return lines;
    }

    private void block(String first) throws IOException, Malformed {
        long began = line;
        Optional<Verb> verb = Verb.of(first);
        if (verb.isEmpty()) {
            faulty(began, "a block begins with CREATE, DELETE, ADD, REMOVE, MODIFY, HOME, UNHOME, AUTHENTICATE or"
                    + " SESSIONSETUP, not with '" + shortened(first) + "'");
            body(false);
            return;
        }
        String rest = verb.get() == Verb.SESSIONSETUP ? "" : first.substring(first.indexOf(' ') + 1);
        boolean alone = verb.get() == Verb.DELETE || verb.get() == Verb.REMOVE;
        List<String> body = alone ? List.of() : body(verb.get() == Verb.AUTHENTICATE);
        try {
            switch (verb.get()) {
                case CREATE -> step(began, new ImportStep.Create(record(handle(rest), values(body, began), began)));
                case ADD -> step(began, new ImportStep.Add(handle(rest), some(values(body, began), began)));
                case MODIFY -> step(began, new ImportStep.Modify(handle(rest), some(values(body, began), began)));
                case DELETE -> step(began, new ImportStep.Delete(handle(rest)));
                case REMOVE -> step(began, remove(rest));
                case HOME, UNHOME -> homes(verb.get() == Verb.HOME, body, began);
                case AUTHENTICATE -> step(began, authenticate(rest, body));
                case SESSIONSETUP -> step(began, session(body));
            }
        } catch (Malformed e) {
            faulty(began, e.reason());
        } catch (FaultyLine e) {
            faulty(e.line, String.valueOf(e.getMessage()));
        }
    }

    private void step(long at, ImportStep step) {
        ready.add(new ImportItem.Of(file + ":" + at, step));
    }

    private void faulty(long at, String reason) {
        ready.add(new ImportItem.Faulty(file + ":" + at, reason));
    }

    private static Handle handle(String text) throws Malformed {
        return Handle.parse(text.strip());
    }

    private static HandleRecord record(Handle handle, List<HandleValue> values, long began) throws FaultyLine {
        some(values, began);
        try {
            return new HandleRecord(handle, values);
        } catch (IllegalArgumentException e) {
            throw new FaultyLine(began, handle + ": " + e.getMessage());
        }
    }

    private static List<HandleValue> some(List<HandleValue> values, long began) throws FaultyLine {
        if (values.isEmpty()) {
            throw new FaultyLine(began, "no value lines follow");
        }
        return values;
    }

    private static ImportStep remove(String rest) throws Malformed {
        int colon = rest.indexOf(':');
        if (colon < 1) {
            throw new Malformed("REMOVE has indexes, a colon and a handle, as in REMOVE 2,3:10.5/abc", 0);
        }
        List<Integer> indexes = new ArrayList<>();
        for (String each : rest.substring(0, colon).split(",", -1)) {
            indexes.add(index(each.strip()));
        }
        return new ImportStep.Remove(handle(rest.substring(colon + 1)), indexes);
    }

    private static int index(String text) throws Malformed {
        return (int) number(text, 1, Integer.MAX_VALUE, "an index is a whole number above 0");
    }

    private static long number(String text, long min, long max, String right) throws Malformed {
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new Malformed(right + ", not '" + shortened(text) + "'", 0);
    }

    private void homes(boolean home, List<String> body, long began) throws Malformed {
        if (body.isEmpty()) {
            faulty(began, "no prefix handles follow, such as 0.NA/10.5");
        }
        for (int i = 0; i < body.size(); i++) {
            Handle prefix = handle(body.get(i).strip());
            if (prefix.isPrefixHandle()) {
                step(began + 1 + i, home ? new ImportStep.Home(prefix) : new ImportStep.Unhome(prefix));
            } else {
                faulty(began + 1 + i, "a prefix handle is 0.NA/ and a prefix, not '" + prefix + "'");
            }
        }
    }

    private ImportStep authenticate(String rest, List<String> body) throws Malformed {
        if (body.isEmpty()) {
            throw new Malformed("behind AUTHENTICATE stands the secret, or the file with the key, in a line of its own", 0);
        }
        int colon = rest.indexOf(':');
        String kind = colon < 0 ? rest : rest.substring(0, colon).strip().toUpperCase(Locale.ROOT);
        ValueReference who = ValueReference.parse(rest.substring(colon + 1).strip());
        String second = body.getFirst();
        return switch (kind) {
            case "SECKEY" -> new ImportStep.BySecret(who, second);
            case "PUBKEY" -> {
                int bar = second.indexOf('|');
                String path = bar < 0 ? second.strip() : second.substring(0, bar).strip();
                yield new ImportStep.ByKey(who, path(path), bar < 0 ? "" : second.substring(bar + 1));
            }
            default -> throw new Malformed("AUTHENTICATE is by SECKEY or PUBKEY, not by '" + shortened(kind) + "'", 0);
        };
    }

    private static ImportStep session(List<String> body) {
        Map<String, String> settings = new HashMap<>();
        for (String each : body) {
            int colon = each.indexOf(':');
            if (colon > 0) {
                settings.put(each.substring(0, colon).strip().toUpperCase(Locale.ROOT), each.substring(colon + 1).strip());
            }
        }
        return new ImportStep.Session(
                settings.getOrDefault("USESESSION", "0").startsWith("1"),
                settings.getOrDefault("OPTIONS", "").startsWith("1"));
    }

    private List<HandleValue> values(List<String> body, long began) throws FaultyLine, IOException {
        List<HandleValue> values = new ArrayList<>();
        for (int i = 0; i < body.size(); i++) {
            String text = body.get(i);
            long at = began + 1 + i;
            // Printed examples break the line of an administrator, and so do files copied from them.
            if (text.stripTrailing().endsWith(" ADMIN") && i + 1 < body.size()) {
                text = text.stripTrailing() + " " + body.get(++i).strip();
            }
            try {
                values.add(value(text));
            } catch (Malformed e) {
                throw new FaultyLine(at, e.reason());
            }
        }
        return values;
    }

    private HandleValue value(String text) throws Malformed, IOException {
        String[] fields = text.split(" ", VALUE_FIELDS + 1);
        if (fields.length < VALUE_FIELDS) {
            throw new Malformed(
                    "a value line is 'index TYPE ttl permissions UTF8|FILE|ADMIN|LIST data', not '" + shortened(text) + "'",
                    0);
        }
        String rest = fields.length > VALUE_FIELDS ? fields[VALUE_FIELDS] : "";
        byte[] data = switch (fields[4].toUpperCase(Locale.ROOT)) {
            case "UTF8" -> rest.getBytes(StandardCharsets.UTF_8);
            case "FILE" -> read(rest.strip());
            case "ADMIN" -> admin(rest.strip()).write();
            case "LIST" -> new IdentityList(ValueReference.parseAll(rest, ";")).write();
            default -> throw new Malformed("data is UTF8, FILE, ADMIN or LIST, not '" + shortened(fields[4]) + "'", 0);
        };
        return new HandleValue(
                index(fields[0]),
                fields[1],
                data,
                Permissions.parse(fields[3]),
                new Ttl.Relative(number(fields[2], 0, 0xffff_ffffL, "a TTL is whole seconds, 0 or more")),
                0,
                List.of());
    }

    private static AdminRecord admin(String text) throws Malformed {
        String[] parts = text.split(":", 3);
        if (parts.length < 3) {
            throw new Malformed("an administrator is index:rights:handle, as in 300:111111111111:0.NA/10.5", 0);
        }
        try {
            return new AdminRecord(
                    AdminRight.parseBatch(parts[1]),
                    new ValueReference(handle(parts[2]), Integer.parseUnsignedInt(parts[0].strip())));
        } catch (NumberFormatException e) {
            throw new Malformed("an administrator's index is a whole number, not '" + shortened(parts[0]) + "'", 0);
        }
    }

    private Path path(String text) {
        Path beside = file.toAbsolutePath().resolveSibling(text);
        return Files.exists(beside) ? beside : Path.of(text);
    }

    private byte[] read(String text) throws Malformed {
        try {
            return Files.readAllBytes(path(text));
        } catch (IOException | InvalidPathException e) {
            throw new Malformed("the file '" + shortened(text) + "' of the value cannot be read", 0);
        }
    }

    private static String shortened(String text) {
        int max = 60;
        return text.length() <= max ? text : text.substring(0, max) + "...";
    }

    /** A fault in a line of a block. */
    private static final class FaultyLine extends Exception {
        private final long line;

        FaultyLine(long line, String message) {
            super(message, null, false, false);
            this.line = line;
        }
    }
}
