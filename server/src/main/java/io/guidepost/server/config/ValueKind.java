package io.guidepost.server.config;

import io.guidepost.base.Malformed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A type of configuration value: how it is read from TOML and from the one-line text of the environment and of
 * {@code --set}, checked, and printed. A raw value is what TOML gives: a String, Long, Double, Boolean, or a List of them.
 *
 * @param <T> what it is in Java
 */
public final class ValueKind<T> {
    private static final List<String> SIZES = List.of("", "KiB", "MiB", "GiB", "TiB");

    private final String type;
    private final String range;
    private final Function<Object, @Nullable T> reader;
    private final Function<String, Object> textReader;
    private final BiFunction<Path, Object, Object> placer;
    private final Function<Object, String> printer;

    /** Makes what is meant of something simpler. */
    @FunctionalInterface
    interface Parser<T, U> {
        /** Parses it, or refuses it with what would be right. */
        U parse(T simpler) throws Malformed;
    }

    /**
     * A kind.
     *
     * @param reader is {@link #of}, and returns null for what is refused without a reason of its own
     * @param textReader is {@link #raw}
     * @param placer is {@link #beside}
     * @param printer is {@link #print}
     */
    private ValueKind(
            String type,
            String range,
            Function<Object, @Nullable T> reader,
            Function<String, Object> textReader,
            BiFunction<Path, Object, Object> placer,
            Function<Object, String> printer) {
        this.type = type;
        this.range = range;
        this.reader = reader;
        this.textReader = textReader;
        this.placer = placer;
        this.printer = printer;
    }

    /** A kind of values that are the same in any folder. */
    private ValueKind(String type, String range, Function<Object, @Nullable T> reader, Function<String, Object> textReader) {
        this(type, range, reader, textReader, (_, raw) -> raw, ValueKind::toml);
    }

    /** A kind of texts that depend on the folder of their file. */
    ValueKind(String type, String range, Function<Object, @Nullable T> reader, BiFunction<Path, Object, Object> placer) {
        this(type, range, reader, text -> text, placer, ValueKind::toml);
    }

    /** What it is called in the documentation. */
    public String type() {
        return type;
    }

    /** What is allowed, in words; empty where the type says it all. */
    public String range() {
        return range;
    }

    /**
     * Checks a raw value.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    T of(Object raw) {
        T value = reader.apply(raw);
        if (value == null) {
            throw new IllegalArgumentException(raw + " is not " + type + (range.isEmpty() ? "" : ": " + range));
        }
        return value;
    }

    /** Returns a raw value of a file as it is for a process in any folder: paths are relative to the file. */
    Object beside(Path file, Object raw) {
        return placer.apply(file, raw);
    }

    /** What TOML would give for a text; a text that fits nothing comes back as it is, for {@link #of} to refuse. */
    Object raw(String text) {
        return textReader.apply(text);
    }

    /** Returns a raw value as TOML writes it. */
    public String print(Object raw) {
        return printer.apply(raw);
    }

    private static String toml(Object raw) {
        return switch (raw) {
            case String text -> quoted(text);
            case List<?> list -> list.stream().map(ValueKind::toml).collect(Collectors.joining(", ", "[", "]"));
            default -> raw.toString();
        };
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(each -> {
            if (each == '"' || each == '\\') {
                quoted.append('\\');
            }
            quoted.append(each < ' ' ? "\\u%04x".formatted(each) : String.valueOf((char) each));
        });
        return quoted.append('"').toString();
    }

    /** Returns the kind of what a parser makes of this one's values. */
    <U> ValueKind<U> as(Parser<T, U> parser) {
        return new ValueKind<>(type, range, raw -> parsed(parser, raw), textReader, placer, printer);
    }

    private <U> U parsed(Parser<T, U> parser, Object raw) {
        String reason;
        try {
            return parser.parse(of(raw));
        } catch (Malformed e) {
            reason = e.reason();
        }
        boolean named = raw instanceof List || reason.contains(raw.toString());
        throw new IllegalArgumentException(named ? reason : "'" + raw + "': " + reason);
    }

    /** Returns the kind that takes the empty text too, which means none. */
    ValueKind<Optional<T>> orNone(String meaning) {
        return new ValueKind<>(
                type,
                range + "; empty = " + meaning,
                raw -> raw.equals("") ? Optional.empty() : Optional.of(of(raw)),
                text -> text);
    }

    private static Object number(String text) {
        try {
            return Long.valueOf(text.strip());
        } catch (NumberFormatException e) {
            return text;
        }
    }

    /** Any text, described by what it means. */
    static ValueKind<String> text(String range) {
        return new ValueKind<>("a text", range, raw -> raw instanceof String text ? text : null, text -> text);
    }

    /** A text of a form that a regular expression describes. */
    static ValueKind<String> text(String range, String form) {
        return text(range).as(text -> {
            if (!text.matches(form)) {
                throw new Malformed("'" + text + "' is not right here: write " + range, 0);
            }
            return text;
        });
    }

    static ValueKind<Long> whole(long least, long most) {
        return new ValueKind<>(
                "a whole number",
                least + " to " + most,
                raw -> raw instanceof Long number && number >= least && number <= most ? number : null,
                ValueKind::number);
    }

    /** A number of bytes within bounds, as a whole number or a text such as "64 MiB". */
    static ValueKind<Long> bytes(long least, long most) {
        return new ValueKind<>(
                "a number of bytes",
                size(least) + " to " + size(most) + ", such as \"64 MiB\"",
                raw -> (raw instanceof String text ? sized(text) : raw) instanceof Long bytes && bytes >= least && bytes <= most
                        ? bytes
                        : null,
                ValueKind::number,
                (_, raw) -> raw,
                raw -> raw instanceof Long number && !size(number).equals(raw.toString()) ? '"' + size(number) + '"' : toml(raw));
    }

    private static Object sized(String text) {
        for (int power = SIZES.size() - 1; power > 0; power--) {
            String unit = SIZES.get(power);
            if (text.endsWith(unit)
                    && number(text.substring(0, text.length() - unit.length())) instanceof Long number
                    && Math.abs(number) <= Long.MAX_VALUE >> 10 * power) {
                return number << 10 * power;
            }
        }
        return text;
    }

    /** A number of bytes with the largest unit that leaves it whole. */
    static String size(long bytes) {
        int power = 0;
        while (bytes != 0 && power + 1 < SIZES.size() && bytes >> 10 * power + 10 << 10 * power + 10 == bytes) {
            power++;
        }
        return (bytes >> 10 * power) + (power == 0 ? "" : " " + SIZES.get(power));
    }

    static ValueKind<Boolean> flag() {
        return new ValueKind<>(
                "true or false",
                "",
                raw -> raw instanceof Boolean flag ? flag : null,
                text -> text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text);
    }

    /** One of the constants of an enum, written in lower case with dashes. */
    static <E extends Enum<E>> ValueKind<E> choice(Class<E> names) {
        List<E> constants = List.of(names.getEnumConstants());
        String all = constants.stream().map(ValueKind::dashed).collect(Collectors.joining(", "));
        return new ValueKind<>(
                "one of",
                all,
                raw -> constants.stream()
                        // A file may have true without quotes.
                        .filter(each -> dashed(each).equals(raw.toString()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("\"" + raw + "\" is none of: " + all)),
                text -> text);
    }

    /** Some of the constants of an enum. */
    static <E extends Enum<E>> ValueKind<List<E>> choices(Class<E> names) {
        ValueKind<E> item = choice(names);
        return list(item, item.range);
    }

    /** A constant's name as users see it. */
    public static String dashed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A list, its items separated by commas where it is a text. */
    static <I> ValueKind<List<I>> list(ValueKind<I> item, String range) {
        return list(item, range, ",");
    }

    /** A list whose items may have commas: another sign separates them where it is a text. */
    static <I> ValueKind<List<I>> list(ValueKind<I> item, String range, String separator) {
        return new ValueKind<>(
                "a list",
                range,
                raw -> raw instanceof List<?> items ? items.stream().map(item::of).toList() : null,
                text -> text.isBlank()
                        ? List.of()
                        : Arrays.stream(text.split(separator, -1)).map(each -> item.raw(each.strip())).toList(),
                (file, raw) -> raw instanceof List<?> items ? items.stream().map(each -> item.beside(file, each)).toList() : raw,
                ValueKind::toml);
    }
}
