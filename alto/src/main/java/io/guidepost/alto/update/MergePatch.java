package io.guidepost.alto.update;

import io.guidepost.web.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches (RFC 7396): a patch looks like the document and has the members that differ; a null takes one away.
 * So it can't say that a member is null, and it replaces an array whole. Pure.
 */
public final class MergePatch {
    /** Media type of these patches. */
    public static final String MEDIA_TYPE = "application/merge-patch+json";

    private static final JsonValue NOTHING = new JsonValue.Null(0);

    private MergePatch() {}

    /** The patch that makes one document of another; empty if no merge patch can, as a member of the target is null. */
    public static Optional<JsonValue> diff(JsonValue from, JsonValue to) {
        return Optional.ofNullable(between(from, to));
    }

    private static @Nullable JsonValue between(JsonValue from, JsonValue to) {
        if (!(to instanceof JsonValue.Members(Map<String, JsonValue> next, long _))) {
            return to;
        }
        Map<String, JsonValue> last = from instanceof JsonValue.Members(Map<String, JsonValue> members, long _) ? members : Map.of();
        Map<String, JsonValue> patch = new LinkedHashMap<>();
        for (String name : last.keySet()) {
            if (!next.containsKey(name)) {
                patch.put(name, NOTHING);
            }
        }
        for (Map.Entry<String, JsonValue> each : next.entrySet()) {
            JsonValue before = last.get(each.getKey());
            if (each.getValue() instanceof JsonValue.Null) {
                return null;
            }
            if (before != null && JsonTrees.same(before, each.getValue())) {
                continue;
            }
            JsonValue change = between(before == null ? NOTHING : before, each.getValue());
            if (change == null) {
                return null;
            }
            patch.put(each.getKey(), change);
        }
        return new JsonValue.Members(patch, 0);
    }

    /** The document after a patch; what is given is not changed. */
    public static JsonValue apply(JsonValue document, JsonValue patch) {
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
                result.put(name, apply(before == null ? NOTHING : before, change));
            }
        });
        return new JsonValue.Members(result, 0);
    }
}
