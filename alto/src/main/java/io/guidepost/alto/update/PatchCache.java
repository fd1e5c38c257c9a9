package io.guidepost.alto.update;

import io.guidepost.alto.ResourceContent;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Computes the shortest update from one content to another: a patch of one form or another, or the full content.
 * Thread-safe. Updates between tagged contents are cached for a while, as many receivers need the same at the same
 * time; a receiver that needs one under construction waits for it.
 */
public final class PatchCache {
    private final Map<Key, FutureTask<ResourceUpdate>> kept = new LinkedHashMap<>();

    private record Key(String id, String from, String to) {}

    /** Creates an empty cache. */
    public PatchCache() {}

    /** Returns whether two contents of one resource are equal. */
    public static boolean same(ResourceContent one, ResourceContent other) {
        return one.tag().isEmpty() || other.tag().isEmpty()
                ? one.mediaType().equals(other.mediaType()) && Arrays.equals(one.body(), other.body())
                : one.tag().equals(other.tag());
    }

    /**
     * Returns the update from one content to another.
     *
     * @param id of the resource
     */
    public ResourceUpdate between(String id, ResourceContent from, ResourceContent to) {
        Set<PatchForm> forms = PatchForm.of(to.mediaType());
        if (forms.isEmpty()) {
            return ResourceUpdate.whole(to);
        }
        if (from.tag().isEmpty() || to.tag().isEmpty()) {
            return smallest(from, to, forms);
        }
        FutureTask<ResourceUpdate> task = task(new Key(id, from.tag(), to.tag()), from, to, forms);
        task.run();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ResourceUpdate.whole(to);
        } catch (ExecutionException e) {
            throw new AssertionError("a difference is pure", e);
        }
    }

    private FutureTask<ResourceUpdate> task(Key key, ResourceContent from, ResourceContent to, Set<PatchForm> forms) {
        synchronized (kept) {
            FutureTask<ResourceUpdate> task = kept.computeIfAbsent(key, _ -> new FutureTask<>(() -> smallest(from, to, forms)));
            if (kept.size() > UpdateLimits.DIFFERENCES_MAX) {
                kept.remove(kept.keySet().iterator().next());
            }
            return task;
        }
    }

    private static ResourceUpdate smallest(ResourceContent from, ResourceContent to, Set<PatchForm> forms) {
        ResourceUpdate smallest = ResourceUpdate.whole(to);
        try {
            TreeDiff unlike = TreeDiff.of(from.body(), to.body());
            JsonValue last = JsonValue.read(unlike.from(), UpdateLimits.COMPARED_BYTES_MAX);
            JsonValue next = JsonValue.read(unlike.to(), UpdateLimits.COMPARED_BYTES_MAX);
            for (PatchForm form : PatchForm.values()) {
                if (forms.contains(form)) {
                    byte[] patch = form.diff(last, next).map(JsonTrees::bytes).orElse(smallest.body());
                    smallest = patch.length < smallest.body().length ? new ResourceUpdate(form.mediaType(), patch) : smallest;
                }
            }
            return smallest;
        } catch (Malformed e) {
            // The document is too deep for the reader, or too much of it changed: the update is the full content.
            return smallest;
        }
    }
}
