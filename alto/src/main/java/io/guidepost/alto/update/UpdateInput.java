package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads members of a request object, and reports faults as ALTO errors.
 *
 * @param path of the object, levels separated by slashes; empty for the root
 * @param members of the object
 */
public record UpdateInput(String path, Map<String, JsonValue> members) {
    /** Parses a request body, which must be an object. */
    public static UpdateInput read(byte[] body) throws AltoError {
        try {
            JsonValue whole = JsonValue.read(body);
            if (whole instanceof JsonValue.Members(Map<String, JsonValue> members, long _)) {
                return new UpdateInput("", members);
            }
            throw AltoError.syntax("the input should be an object, not " + whole.kind());
        } catch (Malformed e) {
            throw AltoError.syntax(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the path of a member. */
    public String under(String name) {
        return path.isEmpty() ? name : path + '/' + name;
    }

    /** Returns an optional string. */
    public Optional<String> text(String name) throws AltoError {
        JsonValue value = members.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof JsonValue.Text(String text, long _)) {
            return Optional.of(text);
        }
        throw wrong(name, "a string", value);
    }

    /** Returns a mandatory string. */
    public String needed(String name) throws AltoError {
        return text(name).orElseThrow(() -> AltoError.missing(under(name)));
    }

    /** Returns an optional boolean, or a default. */
    public boolean truth(String name, boolean otherwise) throws AltoError {
        JsonValue value = members.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof JsonValue.Truth(boolean truth, long _)) {
            return truth;
        }
        throw wrong(name, "true or false", value);
    }

    /** Returns an optional object. */
    public Optional<UpdateInput> object(String name) throws AltoError {
        JsonValue value = members.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof JsonValue.Members(Map<String, JsonValue> inner, long _)) {
            return Optional.of(new UpdateInput(under(name), inner));
        }
        throw wrong(name, "an object", value);
    }

    /** Returns the text of an optional object, to be passed on as the input of a resource. */
    public Optional<byte[]> input(String name) throws AltoError {
        return object(name).map(each -> JsonTrees.bytes(new JsonValue.Members(each.members(), 0)));
    }

    /** Returns the strings of an optional array. */
    public List<String> texts(String name) throws AltoError {
        JsonValue value = members.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof JsonValue.Elements(List<JsonValue> elements, long _))) {
            throw wrong(name, "an array", value);
        }
        String[] texts = new String[elements.size()];
        for (int i = 0; i < texts.length; i++) {
            if (!(elements.get(i) instanceof JsonValue.Text(String text, long _))) {
                throw wrong(name, "an array of strings", elements.get(i));
            }
            texts[i] = text;
        }
        return List.of(texts);
    }

    private AltoError wrong(String name, String expected, JsonValue value) {
        return AltoError.type(under(name), under(name) + " should be " + expected + ", not " + value.kind());
    }
}
