package io.guidepost.alto.update;

import io.guidepost.web.Json;
import io.guidepost.web.JsonText;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** JSON values as trees: whether two say the same, wherever they stood, and their text. */
public final class JsonTrees {
    private JsonTrees() {}

    /** Whether two values say the same: the order of members does not count, and a number is its digits. */
    public static boolean same(Json one, Json other) {
        return switch (one) {
            case Json.Members(Map<String, Json> members, long _) ->
                other instanceof Json.Members(Map<String, Json> others, long _) && sameMembers(members, others);
            case Json.Elements(List<Json> elements, long _) ->
                other instanceof Json.Elements(List<Json> others, long _) && sameElements(elements, others);
            case Json.Text(String text, long _) -> other instanceof Json.Text(String that, long _) && text.equals(that);
            case Json.Number(String digits, long _) ->
                other instanceof Json.Number(String that, long _) && digits.equals(that);
            case Json.Truth(boolean truth, long _) -> other instanceof Json.Truth(boolean that, long _) && truth == that;
            case Json.Null _ -> other instanceof Json.Null;
        };
    }

    private static boolean sameMembers(Map<String, Json> members, Map<String, Json> others) {
        if (members.size() != others.size()) {
            return false;
        }
        for (Map.Entry<String, Json> each : members.entrySet()) {
            Json other = others.get(each.getKey());
            if (other == null || !same(each.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameElements(List<Json> elements, List<Json> others) {
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

    /** The text of a value, compactly, in UTF-8. */
    public static byte[] bytes(Json value) {
        return JsonText.bytes(out -> write(out, value));
    }

    private static void write(JsonGenerator out, Json value) {
        switch (value) {
            case Json.Members(Map<String, Json> members, long _) -> {
                out.writeStartObject();
                members.forEach((name, member) -> {
                    out.writeName(name);
                    write(out, member);
                });
                out.writeEndObject();
            }
            case Json.Elements(List<Json> elements, long _) -> {
                out.writeStartArray();
                elements.forEach(each -> write(out, each));
                out.writeEndArray();
            }
            case Json.Text(String text, long _) -> out.writeString(text);
            case Json.Number(String digits, long _) -> out.writeNumber(digits);
            case Json.Truth(boolean truth, long _) -> out.writeBoolean(truth);
            case Json.Null _ -> out.writeNull();
        }
    }
}
