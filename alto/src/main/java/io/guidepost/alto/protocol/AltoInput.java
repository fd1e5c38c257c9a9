package io.guidepost.alto.protocol;

import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A JSON object of a request, with its path. Invalid members are refused as RFC 7285 section 8.5.2 prescribes: the path
 * of a field has slashes, and an invalid element of an array is an invalid value of the array.
 *
 * @param path of this object from the root, empty for the root
 * @param members of the object
 */
public record AltoInput(String path, Map<String, JsonValue> members) {
    /** Parses a request body, which must be an object. */
    public static AltoInput read(byte[] bytes) throws AltoError {
        try {
            if (JsonValue.read(bytes) instanceof JsonValue.Members(Map<String, JsonValue> members, long _)) {
                return new AltoInput("", members);
            }
            throw AltoError.syntax("a request is a JSON object");
        } catch (Malformed e) {
            throw AltoError.syntax(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the path of a member. */
    public String under(String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    /** Returns whether the object has a member. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** Returns a mandatory member, an object. */
    public AltoInput object(String name) throws AltoError {
        return findObject(name).orElseThrow(() -> AltoError.missing(under(name)));
    }

    /** Returns an optional member, an object. */
    public Optional<AltoInput> findObject(String name) throws AltoError {
        return find(name, JsonValue.Members.class, "an object").map(each -> new AltoInput(under(name), each.members()));
    }

    /** Returns a mandatory member, a string. */
    public String text(String name) throws AltoError {
        return findText(name).orElseThrow(() -> AltoError.missing(under(name)));
    }

    /** Returns an optional member, a string. */
    public Optional<String> findText(String name) throws AltoError {
        return find(name, JsonValue.Text.class, "a string").map(JsonValue.Text::text);
    }

    /** Returns an optional member, a boolean, or a default. */
    public boolean truth(String name, boolean otherwise) throws AltoError {
        return find(name, JsonValue.Truth.class, "true or false").map(JsonValue.Truth::truth).orElse(otherwise);
    }

    private <T extends JsonValue> Optional<T> find(String name, Class<T> type, String expected) throws AltoError {
        JsonValue found = members.get(name);
        if (found != null && !type.isInstance(found)) {
            throw AltoError.type(under(name), under(name) + " is " + expected + ", not " + found.kind());
        }
        return Optional.ofNullable(found).map(type::cast);
    }

    /** Returns the elements of a mandatory array. */
    public List<JsonValue> elements(String name, int elementsMax) throws AltoError {
        List<JsonValue> elements = find(name, JsonValue.Elements.class, "an array")
                .map(JsonValue.Elements::elements)
                .orElseThrow(() -> AltoError.missing(under(name)));
        if (elements.size() > elementsMax) {
            throw AltoError.value(
                    under(name), elements.size() + " elements", under(name) + " has at most " + elementsMax + " elements");
        }
        return elements;
    }

    private <T extends JsonValue> T element(String name, JsonValue element, Class<T> type, String expected) throws AltoError {
        if (!type.isInstance(element)) {
            throw AltoError.value(under(name), told(element), under(name) + " has " + expected);
        }
        return type.cast(element);
    }

    /** Returns the objects of a mandatory array; the path of each is that of the array. */
    public List<AltoInput> objects(String name, int elementsMax) throws AltoError {
        List<AltoInput> objects = new ArrayList<>();
        for (JsonValue each : elements(name, elementsMax)) {
            objects.add(new AltoInput(under(name), element(name, each, JsonValue.Members.class, "objects").members()));
        }
        return objects;
    }

    /** Returns the distinct strings of a mandatory array, in order. */
    public Set<String> texts(String name, int elementsMax) throws AltoError {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonValue each : elements(name, elementsMax)) {
            texts.add(string(name, each));
        }
        return texts;
    }

    /** Returns the distinct strings of an optional array, in order. */
    public Set<String> findTexts(String name, int elementsMax) throws AltoError {
        return has(name) ? texts(name, elementsMax) : Set.of();
    }

    /** Returns an element of an array, which must be a string. */
    public String string(String name, JsonValue element) throws AltoError {
        return element(name, element, JsonValue.Text.class, "strings").text();
    }

    /** Returns the booleans of a mandatory array. */
    public List<Boolean> truths(String name, int elementsMax) throws AltoError {
        List<Boolean> truths = new ArrayList<>();
        for (JsonValue each : elements(name, elementsMax)) {
            truths.add(element(name, each, JsonValue.Truth.class, "true and false").truth());
        }
        return truths;
    }

    /** Creates an error for an invalid value. */
    public AltoError refused(String name, String value, String message) {
        return AltoError.value(under(name), value, message);
    }

    /** Formats a value for an error message. */
    public static String told(JsonValue value) {
        return switch (value) {
            case JsonValue.Text(String text, long _) -> text;
            case JsonValue.Number(String digits, long _) -> digits;
            case JsonValue.Truth(boolean truth, long _) -> String.valueOf(truth);
            default -> value.kind();
        };
    }
}
