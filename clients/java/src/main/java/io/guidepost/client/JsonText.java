package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON (RFC 8259) as maps, lists, strings, doubles, booleans and null. */
final class JsonText {
    /** Levels of nesting: no answer has more than five. */
    private static final int DEPTH_MAX = 64;

    private static final Pattern TOKEN = Pattern.compile(
            "\\s*+([{}\\[\\]:,]|\"[^\"\\\\]*+(?:\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4})[^\"\\\\]*+)*+\"|[^\\s{}\\[\\]:,\"]++)\\s*+");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|([\"\\\\/bfnrt]))");
    private static final Pattern SPECIAL = Pattern.compile("[\"\\\\\\x00-\\x1f]");

    private final Matcher tokens;
    private int at;

    private JsonText(String text) {
        tokens = TOKEN.matcher(text);
    }

    /** Returns the value of a text; throws {@link GuidepostException} if it is no JSON. */
    static @Nullable Object parse(String text) {
        JsonText reader = new JsonText(text);
        Object value = reader.value(reader.next(), 0);
        if (reader.at != text.length()) {
            throw reader.malformed();
        }
        return value;
    }

    static Map<String, Object> object(@Nullable Object value) {
        @SuppressWarnings("unchecked") // The reader makes no other maps.
        Map<String, Object> object = of(Map.class, value);
        return object;
    }

    static List<?> list(@Nullable Object value) {
        return of(List.class, value);
    }

    /** Returns a value as the type that it has in each right answer. */
    static <T> T of(Class<T> type, @Nullable Object value) {
        if (!type.isInstance(value)) {
            throw new GuidepostException(Kind.OTHER, "the server's answer lacks a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private GuidepostException malformed() {
        return new GuidepostException(Kind.OTHER, "the server's answer is no JSON");
    }

    /** Takes the next token; what is behind the last one is malformed. */
    private String next() {
        if (!tokens.region(at, tokens.regionEnd()).lookingAt()) {
            throw malformed();
        }
        at = tokens.end();
        return tokens.group(1);
    }

    private @Nullable Object value(String token, int depth) {
        if (depth > DEPTH_MAX) {
            throw malformed();
        }
        switch (token) {
            case "{" -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (String key = next(); !key.equals("}"); key = next("}")) {
                    if (!next().equals(":")) {
                        throw malformed();
                    }
                    map.put(string(key), value(next(), depth + 1));
                }
                return map;
            }
            case "[" -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (String item = next(); !item.equals("]"); item = next("]")) {
                    list.add(value(item, depth + 1));
                }
                return list;
            }
            case "true", "false" -> {
                return Boolean.valueOf(token);
            }
            case "null" -> {
                return null;
            }
            default -> {
                return token.startsWith("\"") ? string(token) : number(token);
            }
        }
    }

    /** Takes a comma and returns what follows, or returns the end. */
    private String next(String end) {
        String token = next();
        String following = token.equals(",") ? next() : end;
        if (token.equals(",") == following.equals(end) || !token.equals(",") && !token.equals(end)) {
            throw malformed();
        }
        return following;
    }

    private Double number(String token) {
        try {
            return Double.valueOf(token);
        } catch (NumberFormatException e) {
            throw malformed();
        }
    }

    private String string(String token) {
        if (!token.startsWith("\"")) {
            throw malformed();
        }
        return ESCAPE.matcher(token.substring(1, token.length() - 1)).replaceAll(each -> {
            int plain = each.group(2) == null ? -1 : "bfnrt".indexOf(each.group(2));
            return Matcher.quoteReplacement(each.group(1) != null ? String.valueOf((char) Integer.parseInt(each.group(1), 16))
                    : plain >= 0 ? "\b\f\n\r\t".substring(plain, plain + 1) : each.group(2));
        });
    }

    /** Returns the text of a value. */
    static String write(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(each -> write(each.getKey()) + ":" + write(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(JsonText::write).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String string
                ? '"' + SPECIAL.matcher(string).replaceAll(each -> String.format("\\\\u%04x", (int) each.group().charAt(0))) + '"'
                : String.valueOf(value);
    }
}
