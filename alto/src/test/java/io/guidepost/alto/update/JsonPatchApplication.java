package io.guidepost.alto.update;

import io.guidepost.base.Malformed;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Applies the patches that the server sends, as its clients do: the six operations of RFC 6902, and merge patches (RFC 7396). */
public final class JsonPatchApplication {
    /** Member that holds the document itself. */
    private static final String WHOLE = "";

    private final Map<String, JsonValue> holder = new LinkedHashMap<>();

    private JsonPatchApplication(JsonValue document) {
        holder.put(WHOLE, copy(document));
    }

    public static JsonValue apply(JsonValue document, JsonValue patch) throws Malformed {
        JsonPatchApplication application = new JsonPatchApplication(document);
        for (JsonField each : patch.whole().elements(UpdateLimits.PATCH_OPERATIONS_MAX)) {
            application.operation(each);
        }
        return application.get(List.of(), patch.at());
    }

    private void operation(JsonField operation) throws Malformed {
        JsonField verb = operation.member("op");
        List<String> path = steps(operation.member("path"));
        long at = operation.json().at();
        switch (verb.text()) {
            case "add" -> add(path, copy(value(operation)), at);
            case "remove" -> remove(path, at);
            case "replace" -> replace(path, copy(value(operation)), at);
            case "copy" -> add(path, copy(get(steps(operation.member("from")), at)), at);
            case "move" -> {
                List<String> from = steps(operation.member("from"));
                if (path.size() > from.size() && path.subList(0, from.size()).equals(from)) {
                    throw operation.refused("moves a value into itself");
                }
                JsonValue moved = get(from, at);
                remove(from, at);
                add(path, moved, at);
            }
            case "test" -> {
                if (!JsonTrees.same(get(path, at), value(operation))) {
                    throw operation.refused("does not hold");
                }
            }
            default -> throw verb.refused("is add, remove, replace, move, copy or test");
        }
    }

    /** Returns the value of an operation, which may be null; that is not the same as missing. */
    private static JsonValue value(JsonField operation) throws Malformed {
        JsonValue value = operation.members().get("value");
        if (value == null) {
            throw operation.refused("has no value");
        }
        return value;
    }

    private static List<String> steps(JsonField path) throws Malformed {
        String text = path.text();
        if (text.isEmpty()) {
            return List.of();
        }
        if (text.charAt(0) != '/') {
            throw path.refused("begins with a slash");
        }
        List<String> steps = new ArrayList<>();
        for (String each : text.substring(1).split("/", -1)) {
            steps.add(each.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private JsonValue get(List<String> path, long at) throws Malformed {
        JsonValue value = member(holder, WHOLE, at);
        for (String step : path) {
            value = switch (value) {
                case JsonValue.Members(Map<String, JsonValue> members, long _) -> member(members, step, at);
                case JsonValue.Elements(List<JsonValue> elements, long _) -> elements.get(index(step, elements.size() - 1, at));
                default -> throw absent(step, at);
            };
        }
        return value;
    }

    private static JsonValue member(Map<String, JsonValue> members, String name, long at) throws Malformed {
        JsonValue value = members.get(name);
        if (value == null) {
            throw absent(name, at);
        }
        return value;
    }

    private void add(List<String> path, JsonValue value, long at) throws Malformed {
        if (path.isEmpty()) {
            holder.put(WHOLE, value);
            return;
        }
        switch (get(path.subList(0, path.size() - 1), at)) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> members.put(path.getLast(), value);
            case JsonValue.Elements(List<JsonValue> elements, long _) -> {
                String step = path.getLast();
                elements.add(step.equals("-") ? elements.size() : index(step, elements.size(), at), value);
            }
            default -> throw absent(path.getLast(), at);
        }
    }

    private void remove(List<String> path, long at) throws Malformed {
        if (path.isEmpty()) {
            throw new Malformed("a patch can't remove the whole document", at);
        }
        get(path, at);
        switch (get(path.subList(0, path.size() - 1), at)) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> members.remove(path.getLast());
            case JsonValue.Elements(List<JsonValue> elements, long _) ->
                elements.remove(index(path.getLast(), elements.size() - 1, at));
            default -> throw absent(path.getLast(), at);
        }
    }

    private void replace(List<String> path, JsonValue value, long at) throws Malformed {
        if (path.isEmpty()) {
            holder.put(WHOLE, value);
            return;
        }
        get(path, at);
        switch (get(path.subList(0, path.size() - 1), at)) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> members.put(path.getLast(), value);
            case JsonValue.Elements(List<JsonValue> elements, long _) ->
                elements.set(index(path.getLast(), elements.size() - 1, at), value);
            default -> throw absent(path.getLast(), at);
        }
    }

    /** Parses an array index, which has no sign and no leading zero. */
    private static int index(String step, int last, long at) throws Malformed {
        boolean digits = step.matches("0|[1-9][0-9]{0,8}");
        int index = digits ? Integer.parseInt(step) : Integer.MAX_VALUE;
        if (index > last) {
            throw absent(step, at);
        }
        return index;
    }

    private static Malformed absent(String step, long at) {
        return new Malformed("the document has no '" + step + "' where the patch looks for it", at);
    }

    private static JsonValue copy(JsonValue value) {
        return switch (value) {
            case JsonValue.Members(Map<String, JsonValue> members, long at) -> {
                Map<String, JsonValue> copies = new LinkedHashMap<>();
                members.forEach((name, each) -> copies.put(name, copy(each)));
                yield new JsonValue.Members(copies, at);
            }
            case JsonValue.Elements(List<JsonValue> elements, long at) -> {
                List<JsonValue> copies = new ArrayList<>(elements.size());
                elements.forEach(each -> copies.add(copy(each)));
                yield new JsonValue.Elements(copies, at);
            }
            default -> value;
        };
    }

    /** Applies a patch and returns the result; the arguments stay unchanged. */
    public static JsonValue merge(JsonValue document, JsonValue patch) {
        if (!(patch instanceof JsonValue.Members(Map<String, JsonValue> changes, long _))) {
            return patch;
        }
        Map<String, JsonValue> result = new LinkedHashMap<>();
        if (document instanceof JsonValue.Members(Map<String, JsonValue> members, long _)) {
            result.putAll(members);
        }
        changes.forEach((name, change) -> {
            if (change instanceof JsonValue.Null) {
                result.remove(name);
            } else {
                JsonValue before = result.get(name);
                result.put(name, merge(before == null ? new JsonValue.Null(0) : before, change));
            }
        });
        return new JsonValue.Members(result, 0);
    }
}
