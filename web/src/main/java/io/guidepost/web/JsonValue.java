package io.guidepost.web;


import io.guidepost.base.Malformed;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON value (RFC 8259) with its offset, read completely. {@link JsonField} checks its type.
 *
 * <p>Why a tree, where there is a streaming parser? In the objects of this door the meaning of one member depends on
 * another, which may come later: {@code value} before {@code format}.
 */
public sealed interface JsonValue {
    /** Returns the offset in bytes of its beginning in the input. */
    long at();

    /**
     * An object.
     *
     * @param members in the order of the input
     */
    record Members(Map<String, JsonValue> members, long at) implements JsonValue {}

    /** An array. */
    record Elements(List<JsonValue> elements, long at) implements JsonValue {}

    /** A string. */
    record Text(String text, long at) implements JsonValue {}

    /**
     * A number.
     *
     * @param digits as in the input
     */
    record Number(String digits, long at) implements JsonValue {}

    /** True or false. */
    record Truth(boolean truth, long at) implements JsonValue {}

    /** Null. */
    record Null(long at) implements JsonValue {}

    /**
     * Parses one JSON value in UTF-8.
     *
     * @throws Malformed with the first reason and its offset, also if it exceeds {@link JsonLimits}
     */
    static JsonValue read(byte[] bytes) throws Malformed {
        return read(bytes, JsonLimits.JSON_BYTES_MAX);
    }

    /**
     * Parses one JSON value in UTF-8, with a length bounded by the caller.
     *
     * @throws Malformed as {@link #read(byte[])}
     */
    static JsonValue read(byte[] bytes, int bytesMax) throws Malformed {
        if (bytes.length > bytesMax) {
            throw new Malformed("JSON has at most " + bytesMax + " bytes, not " + bytes.length, 0);
        }
        checkUtf8(bytes);
        try (JsonParser in = Reading.FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            JsonToken first = in.nextToken();
            if (first == null) {
                throw new Malformed("there is no JSON", 0);
            }
            JsonValue value = Reading.value(in, first);
            if (in.nextToken() != null) {
                throw new Malformed("more follows the end of the JSON", in.currentTokenLocation().getByteOffset());
            }
            return value;
        } catch (StreamConstraintsException e) {
            throw new Malformed("this JSON is nested too deeply or too long", offset(e));
        } catch (JacksonException e) {
            throw new Malformed("this is not JSON", offset(e));
        }
    }

    /** Refuses overlong UTF-8, which the parser accepts. */
    private static void checkUtf8(byte[] bytes) throws Malformed {
        int ascii = 0;
        while (ascii < bytes.length && bytes[ascii] >= 0) {
            ascii++;
        }
        if (ascii == bytes.length) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(in);
        } catch (CharacterCodingException e) {
            throw new Malformed("this is not UTF-8", in.position());
        }
    }

    private static long offset(JacksonException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
    }

    /** Returns this value as a field without a name: a whole text. */
    default JsonField whole() {
        return new JsonField("", this);
    }

    /** Returns its type, for people. */
    default String kind() {
        return switch (this) {
            case Members _ -> "an object";
            case Elements _ -> "an array";
            case Text _ -> "a string";
            case Number _ -> "a number";
            case Truth _ -> "true or false";
            case Null _ -> "null";
        };
    }

    /** Returns it as a map, a list, a text, a flag, a Long or a Double; null becomes the empty text. */
    default Object plain() {
        return switch (this) {
            case Members(Map<String, JsonValue> members, long _) -> {
                Map<String, Object> map = new LinkedHashMap<>();
                members.forEach((name, member) -> map.put(name, member.plain()));
                yield map;
            }
            case Elements(List<JsonValue> elements, long _) -> elements.stream().map(JsonValue::plain).toList();
            case Text(String text, long _) -> text;
            case Number(String digits, long _) -> number(digits);
            case Truth(boolean truth, long _) -> truth;
            case Null _ -> "";
        };
    }

    private static Object number(String digits) {
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) {
            return Double.valueOf(digits);
        }
    }

    /** Turns the parser's tokens into values. */
    final class Reading {
        private static final JsonFactory FACTORY = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(JsonLimits.JSON_DEPTH_MAX)
                        .maxStringLength(JsonLimits.JSON_BYTES_MAX)
                        .maxNumberLength(JsonLimits.JSON_DIGITS_MAX)
                        .maxNameLength(JsonLimits.JSON_NAME_MAX)
                        .build())
                .build();

        private Reading() {}

        private static JsonValue value(JsonParser in, JsonToken token) throws Malformed {
            long at = in.currentTokenLocation().getByteOffset();
            return switch (token) {
                case START_OBJECT -> members(in, at);
                case START_ARRAY -> {
                    List<JsonValue> elements = new ArrayList<>();
                    for (JsonToken next = next(in); next != JsonToken.END_ARRAY; next = next(in)) {
                        elements.add(value(in, next));
                    }
                    yield new Elements(elements, at);
                }
                case VALUE_STRING -> new Text(in.getString(), at);
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Number(in.getString(), at);
                case VALUE_TRUE -> new Truth(true, at);
                case VALUE_FALSE -> new Truth(false, at);
                case VALUE_NULL -> new Null(at);
                default -> throw new Malformed("this is not JSON", at);
            };
        }

        private static JsonValue members(JsonParser in, long at) throws Malformed {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            while (next(in) != JsonToken.END_OBJECT) {
                String name = in.currentName();
                members.put(name, value(in, next(in)));
            }
            return new Members(members, at);
        }

        private static JsonToken next(JsonParser in) throws Malformed {
            return Optional.ofNullable(in.nextToken())
                    .orElseThrow(() -> new Malformed("this JSON is cut off", in.currentLocation().getByteOffset()));
        }
    }
}
