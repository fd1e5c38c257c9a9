package io.guidepost.alto.update;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.base.Address;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources with updates, ordered by dependency, and the content of GET resources, rendered once per version.
 * Thread-safe.
 */
public final class UpdateSources {
    private static final byte[] NO_INPUT = {};

    private final Map<String, AltoResource> resources = new LinkedHashMap<>();
    private final Map<String, Rendered> rendered = new ConcurrentHashMap<>();

    private record Rendered(long version, ResourceContent content) {}

    /** Creates the order of the resources. */
    public UpdateSources(List<? extends AltoResource> all) {
        Map<String, AltoResource> byId = new LinkedHashMap<>();
        all.forEach(each -> byId.put(each.id(), each));
        Set<String> under = new LinkedHashSet<>();
        byId.values().forEach(each -> place(each, byId, under));
    }

    private void place(AltoResource resource, Map<String, AltoResource> byId, Set<String> under) {
        if (resources.containsKey(resource.id()) || !under.add(resource.id())) {
            return;
        }
        for (String each : resource.uses()) {
            Optional.ofNullable(byId.get(each)).ifPresent(used -> place(used, byId, under));
        }
        resources.put(resource.id(), resource);
    }

    /** Returns a resource by its id. */
    public Optional<AltoResource> find(String id) {
        return Optional.ofNullable(resources.get(id));
    }

    /** Returns the ids, dependencies first. */
    public List<String> ids() {
        return List.copyOf(resources.keySet());
    }

    /** Returns the position of a resource in the order; dependencies have smaller ones. */
    int place(AltoResource resource) {
        return new ArrayList<>(resources.keySet()).indexOf(resource.id());
    }

    /** Returns all resources. */
    public List<AltoResource> all() {
        return List.copyOf(resources.values());
    }

    /**
     * Returns the content of a resource.
     *
     * @param input POST body, if it takes one
     */
    public ResourceContent content(AltoResource resource, AltoSnapshot of, Optional<byte[]> input, Address caller) throws AltoError {
        if (resource.accepts().isPresent()) {
            return resource.content(of, input.orElse(NO_INPUT), caller);
        }
        Rendered held = rendered.get(resource.id());
        if (held != null && held.version == of.version()) {
            return held.content;
        }
        ResourceContent content = resource.content(of, NO_INPUT, caller);
        rendered.merge(
                resource.id(),
                new Rendered(of.version(), content),
                (last, next) -> last.version > next.version ? last : next);
        return content;
    }
}
