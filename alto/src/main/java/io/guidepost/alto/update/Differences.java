package io.guidepost.alto.update;

import io.guidepost.alto.Content;
import io.guidepost.names.Malformed;
import io.guidepost.web.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * What changed from one content to another, in the fewest bytes: a patch of one form or another, or the content whole.
 * Thread-safe. Changes of what has a tag are kept for a while, as many receivers need the same at the same time; whoever
 * comes while it is made waits for it.
 */
public final class Differences {
    private final Map<Key, FutureTask<Update>> kept = new LinkedHashMap<>();

    private record Key(String id, String from, String to) {}

    /** Nothing is kept yet. */
    public Differences() {}

    /** Whether two contents of one resource are the same. */
    public static boolean same(Content one, Content other) {
        return one.tag().isEmpty() || other.tag().isEmpty()
                ? one.mediaType().equals(other.mediaType()) && Arrays.equals(one.body(), other.body())
                : one.tag().equals(other.tag());
    }

    /**
     * What takes somebody who has one content to another.
     *
     * @param id of the resource
     */
    public Update between(String id, Content from, Content to) {
        Set<PatchForm> forms = PatchForm.of(to.mediaType());
        if (forms.isEmpty()) {
            return Update.whole(to);
        }
        if (from.tag().isEmpty() || to.tag().isEmpty()) {
            return smallest(from, to, forms);
        }
        FutureTask<Update> task = task(new Key(id, from.tag(), to.tag()), from, to, forms);
        task.run();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Update.whole(to);
        } catch (ExecutionException e) {
            throw new AssertionError("a difference is pure", e);
        }
    }

    private FutureTask<Update> task(Key key, Content from, Content to, Set<PatchForm> forms) {
        synchronized (kept) {
            FutureTask<Update> task = kept.computeIfAbsent(key, _ -> new FutureTask<>(() -> smallest(from, to, forms)));
            if (kept.size() > Limits.DIFFERENCES_MAX) {
                kept.remove(kept.keySet().iterator().next());
            }
            return task;
        }
    }

    private static Update smallest(Content from, Content to, Set<PatchForm> forms) {
        Update smallest = Update.whole(to);
        try {
            Unlike unlike = Unlike.of(from.body(), to.body());
            Json last = Json.read(unlike.from(), Limits.COMPARED_BYTES_MAX);
            Json next = Json.read(unlike.to(), Limits.COMPARED_BYTES_MAX);
            for (PatchForm form : PatchForm.values()) {
                if (forms.contains(form)) {
                    byte[] patch = form.diff(last, next).map(JsonTrees::bytes).orElse(smallest.body());
                    smallest = patch.length < smallest.body().length ? new Update(form.mediaType(), patch) : smallest;
                }
            }
            return smallest;
        } catch (Malformed e) {
            // Deeper than the reader takes, or too much of it has changed: it is told whole.
            return smallest;
        }
    }
}
