package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Compares JSON trees, and writes them as text. */
public final class JsonTrees {
    private JsonTrees() {}

    /** Returns whether two values are equal: the order of members does not matter, and a number is its digits. */
    public static boolean same(JsonValue one, JsonValue other) {
        return switch (one) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) ->
                other instanceof JsonValue.Members(Map<String, JsonValue> others, long _) && sameMembers(members, others);
            case JsonValue.Elements(List<JsonValue> elements, long _) ->
                other instanceof JsonValue.Elements(List<JsonValue> others, long _) && sameElements(elements, others);
            case JsonValue.Text(String text, long _) -> other instanceof JsonValue.Text(String that, long _) && text.equals(that);
            case JsonValue.Number(String digits, long _) ->
                other instanceof JsonValue.Number(String that, long _) && digits.equals(that);
            case JsonValue.Truth(boolean truth, long _) -> other instanceof JsonValue.Truth(boolean that, long _) && truth == that;
            case JsonValue.Null _ -> other instanceof JsonValue.Null;
        };
    }

    private static boolean sameMembers(Map<String, JsonValue> members, Map<String, JsonValue> others) {
        if (members.size() != others.size()) {
            return false;
        }
        for (Map.Entry<String, JsonValue> each : members.entrySet()) {
            JsonValue other = others.get(each.getKey());
            if (other == null || !same(each.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameElements(List<JsonValue> elements, List<JsonValue> others) {
        if (elements.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < elements.size(); i++) {
            if (!same(elements.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Formats an optional object of a request, to be passed on as the input of a resource. */
    public static Optional<byte[]> body(AltoInput of, String name) throws AltoError {
        return of.findObject(name).map(each -> bytes(new JsonValue.Members(each.members(), 0)));
    }

    /** Formats a value compactly in UTF-8. */
    public static byte[] bytes(JsonValue value) {
        return JsonWriter.bytes(out -> write(out, value));
    }

    private static void write(JsonGenerator out, JsonValue value) {
        switch (value) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> {
                out.writeStartObject();
                members.forEach((name, member) -> {
                    out.writeName(name);
                    write(out, member);
                });
                out.writeEndObject();
            }
            case JsonValue.Elements(List<JsonValue> elements, long _) -> {
                out.writeStartArray();
                elements.forEach(each -> write(out, each));
                out.writeEndArray();
            }
            case JsonValue.Text(String text, long _) -> out.writeString(text);
            case JsonValue.Number(String digits, long _) -> out.writeNumber(digits);
            case JsonValue.Truth(boolean truth, long _) -> out.writeBoolean(truth);
            case JsonValue.Null _ -> out.writeNull();
        }
    }
}
