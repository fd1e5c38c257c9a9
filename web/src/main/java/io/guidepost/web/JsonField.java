package io.guidepost.web;

import io.guidepost.base.Malformed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value and the way to it, such as {@code values[2].data.format}: says what it should be, and in the refusal
 * which one is not that.
 *
 * @param path from the whole to this, empty for the whole
 * @param json what stands there
 */
public record JsonField(String path, JsonValue json) {
    /** Digits that an integer of 64 bits may have, and its sign: a longer text is none. */
    private static final int DIGITS_MAX = 20;

    /** The field of an object by its name, which must be there and not null. */
    public JsonField member(String name) throws Malformed {
        Optional<JsonField> found = find(name);
        if (found.isEmpty()) {
            throw new Malformed(under(name) + " is missing", json.at());
        }
        return found.get();
    }

    /** The field of an object by its name; empty if it is not there, or null. */
    public Optional<JsonField> find(String name) throws Malformed {
        JsonValue found = members().get(name);
        return found == null || found instanceof JsonValue.Null
                ? Optional.empty()
                : Optional.of(new JsonField(under(name), found));
    }

    /** The members of an object. */
    public Map<String, JsonValue> members() throws Malformed {
        if (json instanceof JsonValue.Members(Map<String, JsonValue> members, long _)) {
            return members;
        }
        throw wrong("an object");
    }

    /** The elements of an array, at most so many. */
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

    /** A string. */
    public String text() throws Malformed {
        if (json instanceof JsonValue.Text(String text, long _)) {
            return text;
        }
        throw wrong("a string");
    }

    /** An integer within bounds, as a number or, as some clients write it, as a string of digits. */
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

    /** True or false. */
    public boolean truth() throws Malformed {
        if (json instanceof JsonValue.Truth(boolean truth, long _)) {
            return truth;
        }
        throw wrong("true or false");
    }

    /** Says what this should be, and is not. */
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
