package io.guidepost.server.admin;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes maps, lists, texts, numbers and flags as JSON (RFC 8259), indented for people. */
public final class JsonPages {
    private final StringBuilder text = new StringBuilder();

    private JsonPages() {}

    /** A map that keeps the order in which it is filled: names and values in turn. */
    public static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    /** The text of a value, with a line end. */
    public static String write(Object value) {
        JsonPages json = new JsonPages();
        json.value(value, "\n");
        return json.text.append('\n').toString();
    }

    private void value(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map -> object(map, indent);
            case Collection<?> list -> array(list, indent);
            case Double number when !Double.isFinite(number) -> text.append("null");
            case Number number -> text.append(number);
            case Boolean flag -> text.append(flag);
            default -> string(value.toString());
        }
    }

    private void object(Map<?, ?> map, String indent) {
        String inner = indent + "  ";
        String before = "{";
        for (Map.Entry<?, ?> each : map.entrySet()) {
            text.append(before).append(inner);
            string(String.valueOf(each.getKey()));
            text.append(": ");
            value(each.getValue(), inner);
            before = ",";
        }
        text.append(map.isEmpty() ? "{}" : indent + "}");
    }

    private void array(Collection<?> list, String indent) {
        String inner = indent + "  ";
        String before = "[";
        for (Object each : list) {
            text.append(before).append(inner);
            value(each, inner);
            before = ",";
        }
        text.append(list.isEmpty() ? "[]" : indent + "]");
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
