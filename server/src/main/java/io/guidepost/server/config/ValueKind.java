package io.guidepost.server.config;

import io.guidepost.base.Malformed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A type of configuration value: how it is read from TOML and from the one-line text of the environment and of
 * {@code --set}, checked, and printed. A raw value is what TOML gives: a String, Long, Double, Boolean, or a List of them.
 *
 * @param <T> what it is in Java
 */
public abstract class ValueKind<T> {
    private static final List<String> SIZES = List.of("", "KiB", "MiB", "GiB", "TiB");

    private final String type;
    private final String range;

    /** Makes what is meant of something simpler. */
    @FunctionalInterface
    interface Parser<T, U> {
        /** Parses it, or refuses it with what would be right. */
        U parse(T simpler) throws Malformed;
    }

    ValueKind(String type, String range) {
        this.type = type;
        this.range = range;
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
    abstract T of(Object raw);

    /** Returns a raw value of a file as it is for a process in any folder: paths are relative to the file. */
    Object beside(Path file, Object raw) {
        return raw;
    }

    /** What TOML would give for a text; a text that fits nothing comes back as it is, for {@link #of} to refuse. */
    Object raw(String text) {
        return text;
    }

    /** Returns a raw value as TOML writes it. */
    String print(Object raw) {
        return switch (raw) {
            case String text -> quoted(text);
            case List<?> list -> list.stream().map(this::print).collect(Collectors.joining(", ", "[", "]"));
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
    final <U> ValueKind<U> as(Parser<T, U> parser) {
        ValueKind<T> simpler = this;
        return new ValueKind<>(type, range) {
            @Override
            U of(Object raw) {
                String reason;
                try {
                    return parser.parse(simpler.of(raw));
                } catch (Malformed e) {
                    reason = e.reason();
                }
                boolean named = raw instanceof List || reason.contains(raw.toString());
                throw new IllegalArgumentException(named ? reason : "'" + raw + "': " + reason);
            }

            @Override
            Object beside(Path file, Object raw) {
                return simpler.beside(file, raw);
            }

            @Override
            Object raw(String text) {
                return simpler.raw(text);
            }

            @Override
            String print(Object raw) {
                return simpler.print(raw);
            }
        };
    }

    /** Returns the kind that takes the empty text too, which means none. */
    final ValueKind<Optional<T>> orNone(String meaning) {
        ValueKind<T> present = this;
        return new ValueKind<>(type, range + "; empty = " + meaning) {
            @Override
            Optional<T> of(Object raw) {
                return raw.equals("") ? Optional.empty() : Optional.of(present.of(raw));
            }
        };
    }

    final IllegalArgumentException refused(Object raw) {
        return new IllegalArgumentException(raw + " is not " + type + (range.isEmpty() ? "" : ": " + range));
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
        return simple("a text", range, raw -> raw instanceof String text ? text : null, text -> text);
    }

    /** A kind of one raw value; {@code reader} returns null for what it refuses, {@code textReader} is {@link #raw}. */
    private static <T> ValueKind<T> simple(
            String type, String range, Function<Object, @Nullable T> reader, Function<String, Object> textReader) {
        return new ValueKind<>(type, range) {
            @Override
            T of(Object raw) {
                T value = reader.apply(raw);
                if (value == null) {
                    throw refused(raw);
                }
                return value;
            }

            @Override
            Object raw(String text) {
                return textReader.apply(text);
            }
        };
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
        return simple(
                "a whole number",
                least + " to " + most,
                raw -> raw instanceof Long number && number >= least && number <= most ? number : null,
                ValueKind::number);
    }

    /** A number of bytes within bounds, as a whole number or a text such as "64 MiB". */
    static ValueKind<Long> bytes(long least, long most) {
        return new ValueKind<>("a number of bytes", size(least) + " to " + size(most) + ", such as \"64 MiB\"") {
            @Override
            Long of(Object raw) {
                Object number = raw instanceof String text ? sized(text) : raw;
                if (number instanceof Long bytes && bytes >= least && bytes <= most) {
                    return bytes;
                }
                throw refused(raw);
            }

            @Override
            Object raw(String text) {
                return number(text);
            }

            @Override
            String print(Object raw) {
                return raw instanceof Long number && !size(number).equals(raw.toString()) ? '"' + size(number) + '"' : super.print(raw);
            }
        };
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
        return simple(
                "true or false",
                "",
                raw -> raw instanceof Boolean flag ? flag : null,
                text -> text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text);
    }

    /** One of the constants of an enum, written in lower case with dashes. */
    static <E extends Enum<E>> ValueKind<E> choice(Class<E> names) {
        E[] constants = names.getEnumConstants();
        String all = Arrays.stream(constants).map(ValueKind::dashed).collect(Collectors.joining(", "));
        return new ValueKind<>("one of", all) {
            @Override
            E of(Object raw) {
                for (E each : constants) {
                    if (dashed(each).equals(raw)) {
                        return each;
                    }
                }
                throw new IllegalArgumentException("\"" + raw + "\" is none of: " + all);
            }
        };
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
        return new ValueKind<>("a list", range) {
            @Override
            List<I> of(Object raw) {
                if (!(raw instanceof List<?> items)) {
                    throw refused(raw);
                }
                List<I> list = new ArrayList<>(items.size());
                for (Object each : items) {
                    list.add(item.of(each));
                }
                return List.copyOf(list);
            }

            @Override
            Object raw(String text) {
                return text.isBlank()
                        ? List.of()
                        : Arrays.stream(text.split(separator, -1)).map(each -> item.raw(each.strip())).toList();
            }

            @Override
            Object beside(Path file, Object raw) {
                return raw instanceof List<?> items ? items.stream().map(each -> item.beside(file, each)).toList() : raw;
            }
        };
    }
}
