package io.guidepost.web;

import io.guidepost.base.Malformed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value and its path, such as {@code values[2].data.format}: checks its type, and names the path in refusals.
 *
 * @param path from the root, empty for the root
 * @param json the value
 */
public record JsonField(String path, JsonValue json) {
    /** Digits and sign of a 64-bit integer: a longer text is none. */
    private static final int DIGITS_MAX = 20;

    /** Returns a member of an object, which must be present and not null. */
    public JsonField member(String name) throws Malformed {
        Optional<JsonField> found = find(name);
        if (found.isEmpty()) {
            throw new Malformed(under(name) + " is missing", json.at());
        }
        return found.get();
    }

    /** Returns a member of an object; empty if it is absent or null. */
    public Optional<JsonField> find(String name) throws Malformed {
        JsonValue found = members().get(name);
        return found == null || found instanceof JsonValue.Null
                ? Optional.empty()
                : Optional.of(new JsonField(under(name), found));
    }

    /** Reads the value of a member, and refuses a wrong one. */
    @FunctionalInterface
    public interface Reading<T> {
        /** Returns what the member says. */
        T read(JsonField member) throws Malformed;
    }

    /** Reads a member of an object; returns {@code otherwise} if it is absent or null. */
    public <T> T read(String name, T otherwise, Reading<T> reading) throws Malformed {
        Optional<JsonField> found = find(name);
        return found.isEmpty() ? otherwise : reading.read(found.get());
    }

    /** Returns the strings of an array that is a member; none if that is absent. */
    public List<String> texts(String name, int elementsMax) throws Malformed {
        List<String> texts = new ArrayList<>();
        for (JsonField each : read(name, List.<JsonField>of(), array -> array.elements(elementsMax))) {
            texts.add(each.text());
        }
        return texts;
    }

    /** Returns the members of an object. */
    public Map<String, JsonValue> members() throws Malformed {
        if (json instanceof JsonValue.Members(Map<String, JsonValue> members, long _)) {
            return members;
        }
        throw wrong("an object");
    }

    /** Returns the members of an object as plain values, see {@link JsonValue#plain}. */
    public Map<String, Object> object() throws Malformed {
        Map<String, Object> object = new LinkedHashMap<>();
        members().forEach((name, member) -> object.put(name, member.plain()));
        return object;
    }

    /** Returns the elements of an array, at most {@code elementsMax}. */
    public List<JsonField> elements(int elementsMax) throws Malformed {
        if (!(json instanceof JsonValue.Elements(List<JsonValue> elements, long _))) {
            throw wrong("an array");
        }
        if (elements.size() > elementsMax) {
            throw refused("has at most " + elementsMax + " elements, not " + elements.size());
        }
        List<JsonField> fields = new ArrayList<>(elements.size());
        for (JsonValue each : elements) {
            fields.add(new JsonField(path + "[" + fields.size() + "]", each));
        }
        return fields;
    }

    /** Returns a string. */
    public String text() throws Malformed {
        if (json instanceof JsonValue.Text(String text, long _)) {
            return text;
        }
        throw wrong("a string");
    }

    /** Returns an integer within bounds: a number, or, as some clients write it, a string of digits. */
    public long integer(long min, long max) throws Malformed {
        String digits = switch (json) {
            case JsonValue.Number(String number, long _) -> number;
            case JsonValue.Text(String text, long _) -> text;
            default -> throw wrong("an integer");
        };
        try {
            long value = digits.length() > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(digits);
            if (value < min || value > max) {
                throw refused("is an integer from " + min + " to " + max);
            }
            return value;
        } catch (NumberFormatException e) {
            throw refused("is an integer");
        }
    }

    /** Returns a boolean. */
    public boolean truth() throws Malformed {
        if (json instanceof JsonValue.Truth(boolean truth, long _)) {
            return truth;
        }
        throw wrong("true or false");
    }

    /** Returns the refusal of this value. */
    public Malformed refused(String reason) {
        return new Malformed((path.isEmpty() ? "the JSON" : path) + " " + reason, json.at());
    }

    private Malformed wrong(String expected) {
        return refused("should be " + expected + ", not " + json.kind());
    }

    private String under(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
