package io.guidepost.alto.update;

import io.guidepost.web.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches (RFC 7396): a patch has the shape of the document and the members that differ; a null removes a
 * member. So it cannot set a member to null, and it replaces an array as a whole. Pure.
 */
public final class MergePatch {
    /** Media type of these patches. */
    public static final String MEDIA_TYPE = "application/merge-patch+json";

    private static final JsonValue NOTHING = new JsonValue.Null(0);

    private MergePatch() {}

    /**
     * Computes the patch from one document to another; empty if a member of the target is null, which no merge patch
     * can express.
     */
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
}
