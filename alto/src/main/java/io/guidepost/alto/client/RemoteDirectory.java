package io.guidepost.alto.client;

import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directory of a server (RFC 7285 section 9.2).
 *
 * @param costTypes by their names
 * @param defaultMap id of the network map that endpoints belong to by default
 * @param resources by their ids
 */
record RemoteDirectory(Map<String, CostType> costTypes, Optional<String> defaultMap, Map<String, RemoteResource> resources) {
    private static final int NAMES_MAX = 10_000;
    private static final JsonField NOTHING = new JsonField("", new JsonValue.Members(Map.of(), 0));

    /** Copies the maps. */
    public RemoteDirectory {
        costTypes = Map.copyOf(costTypes);
        resources = new LinkedHashMap<>(resources);
    }

    /**
     * Reads a directory.
     *
     * @param from its URI, the base of relative URIs in it
     * @throws Malformed if it is no directory
     */
    static RemoteDirectory read(JsonValue directory, URI from) throws Malformed {
        JsonField whole = directory.whole();
        Map<String, CostType> costTypes = new LinkedHashMap<>();
        JsonField meta = whole.find("meta").orElse(NOTHING);
        JsonField types = meta.find("cost-types").orElse(NOTHING);
        for (String name : types.members().keySet()) {
            JsonField type = types.member(name);
            Optional<CostMode> mode = CostMode.of(type.member("cost-mode").text());
            String metric = type.member("cost-metric").text();
            mode.ifPresent(each -> costTypes.put(name, new CostType(each, metric)));
        }
        Map<String, RemoteResource> resources = new LinkedHashMap<>();
        JsonField listed = whole.member("resources");
        for (String id : listed.members().keySet()) {
            resources.put(id, listed(id, listed.member(id), from));
        }
        return new RemoteDirectory(costTypes, text(meta, "default-alto-network-map"), resources);
    }

    private static RemoteResource listed(String id, JsonField entry, URI from) throws Malformed {
        JsonField uri = entry.member("uri");
        URI absolute;
        try {
            absolute = from.resolve(uri.text());
        } catch (IllegalArgumentException e) {
            throw uri.refused("is no URI");
        }
        JsonField capabilities = entry.find("capabilities").orElse(NOTHING);
        return new RemoteResource(
                id,
                absolute,
                entry.member("media-type").text(),
                text(entry, "accepts"),
                entry.texts("uses", NAMES_MAX),
                capabilities.texts("cost-type-names", NAMES_MAX),
                capabilities.texts("prop-types", NAMES_MAX));
    }

    private static Optional<String> text(JsonField of, String name) throws Malformed {
        return of.read(name, Optional.empty(), each -> Optional.of(each.text()));
    }

    /** Returns the cost types of a resource. */
    public List<CostType> costTypes(RemoteResource resource) {
        return resource.costTypes().stream()
                .filter(costTypes::containsKey)
                .map(each -> Optional.ofNullable(costTypes.get(each)).orElseThrow())
                .toList();
    }
}
