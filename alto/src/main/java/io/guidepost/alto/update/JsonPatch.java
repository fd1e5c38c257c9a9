package io.guidepost.alto.update;

import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * JSON patches (RFC 6902) that this server generates: additions, removals and replacements, each with its path. Pure.
 */
public final class JsonPatch {
    /** Media type of these patches. */
    public static final String MEDIA_TYPE = "application/json-patch+json";

    private final List<JsonValue> operations = new ArrayList<>();
    private final int operationsMax;

    private JsonPatch(int operationsMax) {
        this.operationsMax = operationsMax;
    }

    /** Computes the patch from one document to another; empty if it would have too many operations. */
    public static Optional<JsonValue> diff(JsonValue from, JsonValue to) {
        JsonPatch patch = new JsonPatch(UpdateLimits.PATCH_OPERATIONS_MAX);
        patch.value("", from, to);
        return patch.operations.size() > patch.operationsMax
                ? Optional.empty()
                : Optional.of(new JsonValue.Elements(patch.operations, 0));
    }

    /** Escapes a name for a path: {@code ~} and {@code /} (RFC 6901). */
    static String step(String name) {
        return name.indexOf('~') < 0 && name.indexOf('/') < 0 ? name : name.replace("~", "~0").replace("/", "~1");
    }

    private void value(String path, JsonValue from, JsonValue to) {
        if (operations.size() > operationsMax || JsonTrees.same(from, to)) {
            return;
        }
        if (from instanceof JsonValue.Members(Map<String, JsonValue> last, long _)
                && to instanceof JsonValue.Members(Map<String, JsonValue> next, long _)) {
            members(path, last, next);
        } else if (from instanceof JsonValue.Elements(List<JsonValue> last, long _)
                && to instanceof JsonValue.Elements(List<JsonValue> next, long _)) {
            elements(path, last, next, to);
        } else {
            operation("replace", path, to);
        }
    }

    private void members(String path, Map<String, JsonValue> last, Map<String, JsonValue> next) {
        for (String name : last.keySet()) {
            if (!next.containsKey(name)) {
                operation("remove", path + '/' + step(name));
            }
        }
        next.forEach((name, value) -> {
            JsonValue before = last.get(name);
            if (before == null) {
                operation("add", path + '/' + step(name), value);
            } else {
                value(path + '/' + step(name), before, value);
            }
        });
    }

    /** Compares arrays, which here are sets of prefixes, or a few costs. */
    private void elements(String path, List<JsonValue> last, List<JsonValue> next, JsonValue whole) {
        Optional<Set<String>> before = texts(last);
        Optional<Set<String>> after = texts(next);
        if (before.isPresent() && after.isPresent()) {
            sets(path, last, next, before.get(), after.get(), whole);
        } else if (last.size() == next.size()) {
            for (int i = 0; i < last.size(); i++) {
                value(path + '/' + i, last.get(i), next.get(i));
            }
        } else {
            operation("replace", path, whole);
        }
    }

    private void sets(
            String path, List<JsonValue> last, List<JsonValue> next, Set<String> before, Set<String> after, JsonValue whole) {
        if (!sameOrder(last, next, before, after)) {
            operation("replace", path, whole);
            return;
        }
        for (int i = last.size() - 1; i >= 0; i--) {
            if (!after.contains(text(last.get(i)))) {
                operation("remove", path + '/' + i);
            }
        }
        for (int i = 0; i < next.size(); i++) {
            if (!before.contains(text(next.get(i)))) {
                operation("add", path + '/' + i, next.get(i));
            }
        }
    }

    private static boolean sameOrder(List<JsonValue> last, List<JsonValue> next, Set<String> before, Set<String> after) {
        int at = 0;
        for (JsonValue each : last) {
            String kept = text(each);
            if (!after.contains(kept)) {
                continue;
            }
            while (!before.contains(text(next.get(at)))) {
                at++;
            }
            if (!text(next.get(at++)).equals(kept)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the strings of an array, if it has only distinct strings. */
    private static Optional<Set<String>> texts(List<JsonValue> elements) {
        Set<String> texts = new HashSet<>();
        for (JsonValue each : elements) {
            if (!(each instanceof JsonValue.Text(String text, long _)) || !texts.add(text)) {
                return Optional.empty();
            }
        }
        return Optional.of(texts);
    }

    private static String text(JsonValue element) {
        return element instanceof JsonValue.Text(String text, long _) ? text : "";
    }

    private void operation(String verb, String path, JsonValue... value) {
        Map<String, JsonValue> operation = new LinkedHashMap<>();
        operation.put("op", new JsonValue.Text(verb, 0));
        operation.put("path", new JsonValue.Text(path, 0));
        for (JsonValue each : value) {
            operation.put("value", each);
        }
        operations.add(new JsonValue.Members(operation, 0));
    }
}
