package io.guidepost.alto.update;

import io.guidepost.web.Json;
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

    private static final Json NOTHING = new Json.Null(0);

    private MergePatch() {}

    /** The patch that makes one document of another; empty if no merge patch can, as a member of the target is null. */
    public static Optional<Json> diff(Json from, Json to) {
        return Optional.ofNullable(between(from, to));
    }

    private static @Nullable Json between(Json from, Json to) {
        if (!(to instanceof Json.Members(Map<String, Json> next, long _))) {
            return to;
        }
        Map<String, Json> last = from instanceof Json.Members(Map<String, Json> members, long _) ? members : Map.of();
        Map<String, Json> patch = new LinkedHashMap<>();
        for (String name : last.keySet()) {
            if (!next.containsKey(name)) {
                patch.put(name, NOTHING);
            }
        }
        for (Map.Entry<String, Json> each : next.entrySet()) {
            Json before = last.get(each.getKey());
            if (each.getValue() instanceof Json.Null) {
                return null;
            }
            if (before != null && JsonTrees.same(before, each.getValue())) {
                continue;
            }
            Json change = between(before == null ? NOTHING : before, each.getValue());
            if (change == null) {
                return null;
            }
            patch.put(each.getKey(), change);
        }
        return new Json.Members(patch, 0);
    }

    /** The document after a patch; what is given is not changed. */
    public static Json apply(Json document, Json patch) {
        if (!(patch instanceof Json.Members(Map<String, Json> changes, long _))) {
            return patch;
        }
        Map<String, Json> result = new LinkedHashMap<>();
        if (document instanceof Json.Members(Map<String, Json> members, long _)) {
            result.putAll(members);
        }
        changes.forEach((name, change) -> {
            if (change instanceof Json.Null) {
                result.remove(name);
            } else {
                Json before = result.get(name);
                result.put(name, apply(before == null ? NOTHING : before, change));
            }
        });
        return new Json.Members(result, 0);
    }
}
